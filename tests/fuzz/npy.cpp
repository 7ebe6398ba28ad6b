// A user's .npy file: the header says how long the data are, and may lie.
#include "tool/judge/data/npy.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto array = hone::judge::parse_npy(hone::fuzz::text_of(data, size), "x.npy");
  if (!array) return 0;
  hone::fuzz::require(array->data.size() <= size, "there is no more data than there was file");
  hone::fuzz::require(array->elements * array->type.size == array->data.size(), "the elements are all there");
  return 0;
}
