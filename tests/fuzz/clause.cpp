// The text of a #pragma hone: any text parses or is an error at a place inside it.
#include "tests/annotations/properties.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string broken = hone::annotations::broken_property(hone::fuzz::text_of(data, size));
  hone::fuzz::require(broken.empty(), broken.c_str());
  return 0;
}
