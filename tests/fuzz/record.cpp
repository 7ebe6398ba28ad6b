// A record of the store, which may come from another version or another machine.
#include "tool/lock/record.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  const auto record = hone::lock::parse_record(std::string(hone::fuzz::text_of(data, size)));
  if (!record) return 0;
  const std::string once = to_json(*record);
  const auto again = hone::lock::parse_record(once);
  require(again.has_value(), "a record that was taken is taken again");
  require(to_json(*again) == once, "a record comes back as it was");
  return 0;
}
