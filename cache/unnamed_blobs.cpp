#include "cache/unnamed_blobs.h"

#include <algorithm>
#include <set>
#include <string>

#include "cache/lock_file.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"

namespace hone::cache {
namespace {

namespace fs = std::filesystem;

// No lock file is so long: an entry has two kilobytes. A data set beside it is not read for nothing.
constexpr std::uintmax_t longest_lock_file = std::uintmax_t{256} << 20;

bool is_hexadecimal(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

// Every run of exactly 64 hexadecimal digits.
void add_digests(const std::string& text, std::set<std::string>& digests) {
  for (std::size_t at = 0; at < text.size();) {
    const auto begin = std::find_if(text.begin() + static_cast<std::ptrdiff_t>(at), text.end(), is_hexadecimal);
    const auto end = std::find_if_not(begin, text.end(), is_hexadecimal);
    if (const std::string run(begin, end); is_digest(run)) digests.insert(run);
    at = static_cast<std::size_t>(end - text.begin());
  }
}

Result<std::set<std::string>> digests_beside(const fs::path& lock) {
  std::set<std::string> digests;
  std::error_code error;
  const fs::path folder = lock.parent_path();
  for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
    std::error_code unknown;
    if (!entry->is_regular_file(unknown) || entry->file_size(unknown) > longest_lock_file) continue;
    HONE_TRY(const std::string text, os::read_file(entry->path()));
    if (text.find("\"kernels\"") != std::string::npos) add_digests(text, digests);
  }
  if (error) return coded_failure(DiagnosticCode::store_unwritable, error.message(), folder.string());
  return digests;
}

}  // namespace

Result<UnnamedBlobs> unnamed_blobs(const fs::path& folder, const fs::path& lock,
                                   std::chrono::system_clock::time_point now, std::chrono::seconds grace) {
  std::error_code error;
  if (!fs::exists(lock, error))
    return coded_failure(DiagnosticCode::no_lock, "there is no lock file, so nothing says what is still needed",
                         lock.string(), "name the lock file with --lock");
  HONE_CHECK(LockFile::read(lock));
  HONE_TRY(const std::set<std::string> named, digests_beside(lock));
  const StoreFolder store(folder);
  UnnamedBlobs found;
  const std::int64_t young = std::chrono::nanoseconds((now - grace).time_since_epoch()).count();
  std::set<std::string> unnamed;
  for (const StoreFolder::Entry& entry : store.entries()) {
    if (entry.kind != StoreFolder::Kind::blob) continue;
    if (named.contains(entry.name))
      ++found.named;
    else if (entry.changed > young)
      ++found.young;
    else if (!store.read(StoreFolder::Kind::blob, entry.name).bytes)
      ++found.foreign;
    else
      unnamed.insert(entry.name);
  }
  // Listed again: to read a file is to use it, and what was used since it was listed stays (remove_unused()).
  for (StoreFolder::Entry& entry : store.entries())
    if (entry.kind == StoreFolder::Kind::blob && unnamed.contains(entry.name))
      found.unnamed.push_back(std::move(entry));
  std::ranges::sort(found.unnamed, {}, &StoreFolder::Entry::name);
  return found;
}

}  // namespace hone::cache
