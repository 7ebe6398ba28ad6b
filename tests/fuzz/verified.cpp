// What `hone verify --json` printed on another's machine: what is taken leaves a lock file that is read again.
#include "tests/fuzz/fuzz.h"
#include "tool/lock/verified_elsewhere.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  const auto read = hone::lock::read_verified(std::string(hone::fuzz::text_of(data, size)), "there.json");
  if (!read) {
    require(read.error().where.starts_with("there.json"), "an error names the file");
    hone::fuzz::require_printable(read.error().message(), "no text of a file is obeyed");
    return 0;
  }
  hone::cache::LockFile lock;
  for (const auto& one : *read) {
    hone::cache::LockEntry entry{one.name, "a.cpp", one.key, "x86_64"};
    if (!one.variant.empty()) entry.variant = one.variant;
    if (!lock.find(one.key)) lock.put(entry);
  }
  for (const std::string& line : join_verified(lock, *read))
    hone::fuzz::require_printable(line, "no text of a file is obeyed");
  const auto again = hone::cache::LockFile::parse(lock.text(), "hone.lock");
  require(again.has_value(), "what was joined can be read");
  require(again->text() == lock.text(), "what was joined comes back as it was");
  return 0;
}
