// What hone-worker reads on its standard input. A bundle that is taken can be written and read again, to the same
// bytes.
#include "tool/bundle/bundle.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bundle = hone::bundle::parse_bundle(hone::fuzz::text_of(data, size));
  if (!bundle) {
    hone::fuzz::require(!bundle.error().message().empty(), "a refusal says why");
    return 0;
  }
  const std::string once = serialize(*bundle);
  const auto again = hone::bundle::parse_bundle(once);
  hone::fuzz::require(again.has_value(), "a bundle that was taken is taken again");
  hone::fuzz::require(serialize(*again) == once, "a bundle comes back as it was");
  return 0;
}
