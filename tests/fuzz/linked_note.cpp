// A file that may be an object, a program or a static library: what it says of kernels, or a sentence on why not.
#include "tool/linked/note_reader.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto units = hone::linked::read_linked(hone::fuzz::text_of(data, size));
  if (!units) {
    hone::fuzz::require(!units.error().what.empty(), "a refusal says why");
    return 0;
  }
  for (const hone::linked::LinkedUnit& unit : *units)
    hone::fuzz::require(unit.is_bytecode || !unit.kernels.empty(), "a unit says something");
  return 0;
}
