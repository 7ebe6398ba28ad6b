// hone.lock: committed, merged by hand, and read in every compile.
#include "cache/lock_file.h"
#include "tests/fuzz/fuzz.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  const auto lock = hone::cache::LockFile::parse(std::string(hone::fuzz::text_of(data, size)), "hone.lock");
  if (!lock) {
    require(lock.error().message().find("hone.lock") != std::string::npos, "an error names the file");
    return 0;
  }
  const std::string once = lock->text();
  const auto again = hone::cache::LockFile::parse(once, "hone.lock");
  require(again.has_value(), "a lock file that was taken is taken again");
  require(again->text() == once, "a lock file comes back as it was");
  return 0;
}
