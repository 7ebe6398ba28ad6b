// hone.trust as a branch may bring it.
#include "tool/trust/trust_file.h"

#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  const auto file = hone::trust::TrustFile::parse(std::string(hone::fuzz::text_of(data, size)), "f");
  if (!file) {
    require(file.error().where.starts_with("f"), "an error has its place");
    return 0;
  }
  const std::string once = file->text();
  const auto again = hone::trust::TrustFile::parse(once, "f");
  require(again.has_value(), "a file that was taken is taken again");
  require(again->keys.size() == file->keys.size(), "with the same keys");
  require(again->text() == once, "a file comes back as it was");
  return 0;
}
