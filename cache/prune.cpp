// Store::prune: what a cache folder may lose.
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <system_error>
#include <tuple>

#include "cache/store.h"
#include "cache/store_folder.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"

namespace hone::cache {
namespace {

using Entry = StoreFolder::Entry;
using Kind = StoreFolder::Kind;
using Nanoseconds = std::chrono::nanoseconds;

// The clock that also writes the times of the folder's files.
Nanoseconds clock_of(const std::filesystem::path& file) {
  struct stat status {};
  if (::utimensat(AT_FDCWD, file.c_str(), nullptr, 0) == 0 && ::stat(file.c_str(), &status) == 0)
    return std::chrono::seconds(status.st_mtim.tv_sec) + Nanoseconds(status.st_mtim.tv_nsec);
  return std::chrono::system_clock::now().time_since_epoch();
}

class Pruning {
 public:
  Pruning(const StoreFolder& folder, const Store::PruneOptions& options, Nanoseconds now)
      : folder_(folder), options_(options), now_(now.count()), slack_(Nanoseconds(options.temporary_age).count()) {}

  Result<Store::Pruned> run() {
    std::vector<Entry> entries = folder_.entries();
    std::sort(entries.begin(), entries.end(), [this](const Entry& a, const Entry& b) { return rank(a) < rank(b); });
    for (const Entry& entry : entries) pruned_.bytes_left += entry.bytes;
    for (const Entry& entry : entries) {
      if (may_go(entry))
        remove(entry);
      else if (!is_rubbish(entry) && !last_used(entry))
        folder_.mark_used(entry.kind, entry.name);
    }
    if (!left_.what.empty()) return tl::unexpected(left_);
    return pruned_;
  }

 private:
  static bool is_rubbish(const Entry& entry) { return entry.kind == Kind::temporary || entry.kind == Kind::corrupt; }

  // The later of access and change, leaving out what no right clock has written. nullopt: both.
  std::optional<std::int64_t> last_used(const Entry& entry) const {
    std::optional<std::int64_t> last;
    for (const std::int64_t time : {entry.accessed, entry.changed})
      if (time <= now_ + slack_) last = std::max(time, last.value_or(time));
    return last;
  }

  // Rubbish first, then the least recently used; the path decides between equals.
  std::tuple<bool, std::int64_t, std::filesystem::path> rank(const Entry& entry) const {
    return {!is_rubbish(entry), last_used(entry).value_or(now_), entry.path};
  }

  bool may_go(const Entry& entry) const {
    if (entry.kind == Kind::temporary) return last_used(entry).value_or(0) <= now_ - slack_;
    return entry.kind == Kind::corrupt || pruned_.bytes_left > options_.max_bytes;
  }

  // One entry that cannot go does not keep the others.
  void remove(const Entry& entry) {
    const auto removal = StoreFolder::remove_unused(entry);
    if (!removal && left_.what.empty()) left_ = removal.error();
    if (!removal || *removal == StoreFolder::Removal::used) return;
    pruned_.bytes_left -= entry.bytes;  // even if somebody else was faster
    if (*removal == StoreFolder::Removal::gone) return;
    ++pruned_.files;
    pruned_.bytes += entry.bytes;
  }

  const StoreFolder& folder_;
  const Store::PruneOptions& options_;
  const std::int64_t now_, slack_;
  Store::Pruned pruned_;
  Error left_;  // of the first that could not go
};

}  // namespace

Result<Store::Pruned> Store::prune(std::size_t level, const PruneOptions& options) const {
  if (level >= levels_.size() || !levels_[level].writable)
    return coded_failure(DiagnosticCode::store_unwritable, "this level of the cache may not be written");
  const StoreFolder folder(levels_[level].folder);
  std::error_code error;
  if (!std::filesystem::exists(folder.folder(), error)) return Pruned{};
  const std::filesystem::path alone = folder.folder() / "prune.lock";
  HONE_TRY(const os::FileLock lock, os::FileLock::acquire(alone));
  return Pruning(folder, options, options.now ? Nanoseconds(options.now->time_since_epoch()) : clock_of(alone)).run();
}

}  // namespace hone::cache
