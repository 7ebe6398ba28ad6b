// The header of a bundle without the length in front, which would hide it from a fuzzer.
#include "tests/fuzz/fuzz.h"
#include "tool/bundle/spec_json.h"
#include "tool/bundle/strict_json.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  hone::KernelIdentity kernel;
  hone::KernelData spec;
  try {
    const auto json = hone::bundle::parse_strictly(hone::fuzz::text_of(data, size));
    kernel = hone::bundle::read_identity(json);
    spec = hone::bundle::read_data(json);
  } catch (const std::exception&) {
    return 0;
  }
  for (const hone::Parameter& parameter : spec.parameters)
    for (const hone::Field& field : parameter.element.fields)
      hone::fuzz::require(field.offset + field.count * field.type.size <= parameter.element.size,
                          "a field lies inside its element");
  const auto once = hone::bundle::write_spec(kernel, spec);
  hone::fuzz::require(hone::bundle::write_spec(hone::bundle::read_identity(once), hone::bundle::read_data(once)) == once, "a spec comes back as it was");
  return 0;
}
