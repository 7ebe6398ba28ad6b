// The header of a bundle without the length in front, which would hide it from a fuzzer.
#include "tests/fuzz/fuzz.h"
#include "tool/bundle/spec_json.h"
#include "tool/bundle/strict_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hone::KernelSpec spec;
  try {
    spec = hone::bundle::read_spec(hone::bundle::parse_strictly(hone::fuzz::text_of(data, size)));
  } catch (const std::exception&) {
    return 0;
  }
  for (const hone::Parameter& parameter : spec.parameters)
    for (const hone::Field& field : parameter.element.fields)
      hone::fuzz::require(field.offset + field.count * field.type.size <= parameter.element.size,
                          "a field lies inside its element");
  const auto once = hone::bundle::write_spec(spec);
  hone::fuzz::require(hone::bundle::write_spec(hone::bundle::read_spec(once)) == once, "a spec comes back as it was");
  return 0;
}
