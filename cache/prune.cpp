// Store::prune: what a cache folder may lose.
#include <algorithm>
#include <system_error>
#include <tuple>

#include "cache/store.h"
#include "cache/store_folder.h"
#include "tool/os/files/files.h"

namespace hone::cache {
namespace {

using Entry = StoreFolder::Entry;
using Kind = StoreFolder::Kind;

// Rubbish first, then the least recently used; the path decides between equals.
bool goes_before(const Entry& a, const Entry& b) {
  const auto rank = [](const Entry& e) {
    return std::tuple(e.kind != Kind::temporary && e.kind != Kind::corrupt, e.last_used, e.path);
  };
  return rank(a) < rank(b);
}

}  // namespace

Result<Store::Pruned> Store::prune(std::size_t level, const PruneOptions& options) const {
  if (level >= levels_.size() || !levels_[level].writable) return failure("this level of the cache may not be written");
  const StoreFolder folder(levels_[level].folder);
  std::error_code error;
  if (!std::filesystem::exists(folder.folder(), error)) return Pruned{};
  HONE_TRY(const os::FileLock lock, os::FileLock::acquire(folder.folder() / "prune.lock"));

  std::vector<Entry> entries = folder.entries();
  std::sort(entries.begin(), entries.end(), goes_before);
  Pruned pruned;
  for (const Entry& entry : entries) pruned.bytes_left += entry.bytes;
  const auto at_work_since =
      std::chrono::duration_cast<std::chrono::nanoseconds>((options.now - options.temporary_age).time_since_epoch());
  for (const Entry& entry : entries) {
    const bool at_work = entry.kind == Kind::temporary && entry.last_used > at_work_since.count();
    const bool rubbish = entry.kind == Kind::corrupt || entry.kind == Kind::temporary;
    if (at_work || (!rubbish && pruned.bytes_left <= options.max_bytes)) continue;
    if (!std::filesystem::remove(entry.path, error)) {
      if (error) return failure("cannot remove a cache entry: " + error.message(), entry.path.string());
      pruned.bytes_left -= entry.bytes;  // somebody else was faster
      continue;
    }
    ++pruned.files;
    pruned.bytes += entry.bytes;
    pruned.bytes_left -= entry.bytes;
  }
  return pruned;
}

}  // namespace hone::cache
