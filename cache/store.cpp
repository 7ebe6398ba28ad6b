#include "cache/store.h"

#include <cstdlib>
#include <mutex>
#include <set>
#include <utility>

#include "cache/checked_record.h"
#include "cache/store_folder.h"
#include "tool/diagnostics/coded_failure.h"

namespace hone::cache {
namespace {

using Kind = StoreFolder::Kind;

Kind kind_of(bool record) {
  return record ? Kind::record : Kind::blob;
}

std::string unusable(const std::filesystem::path& file, const std::string& why) {
  return file.string() + ": unusable cache entry: " + why;
}

}  // namespace

Result<std::filesystem::path> user_folder() {
  // The XDG specification: a relative path is to be ignored.
  if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return std::filesystem::path(cache) / "hone";
  if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
    return std::filesystem::path(home) / ".cache" / "hone";
  return coded_failure(DiagnosticCode::store_folder, "no folder for the user's cache", {},
                       "set XDG_CACHE_HOME or HOME");
}

// Each message once: an entry that cannot be set aside would otherwise be reported at every read.
class Store::Warnings {
 public:
  explicit Warnings(Warn warn) : warn_(std::move(warn)) {}

  void operator()(const std::string& message) {
    const std::lock_guard lock(mutex_);
    if (said_.insert(message).second && warn_) warn_(message);
  }

 private:
  std::mutex mutex_;
  std::set<std::string> said_;
  Warn warn_;
};

Store::Store(std::vector<Level> levels, Warn warn)
    : levels_(std::move(levels)), warnings_(std::make_shared<Warnings>(std::move(warn))) {}

std::optional<std::string> Store::blob(const Digest& digest) const {
  return find(false, digest);
}
std::optional<std::string> Store::record(const Digest& request_key) const {
  const auto stored = find(true, request_key);
  return stored ? without_digest(*stored) : std::nullopt;
}

std::optional<std::string> Store::find(bool record, const std::string& name) const {
  if (!is_digest(name)) return std::nullopt;  // never a path of somebody's choice
  const Kind kind = kind_of(record);
  std::vector<std::pair<const Level*, StoreFolder::Content>> damaged;
  std::optional<std::string> found;
  for (const Level& level : levels_) {
    const StoreFolder folder(level.folder);
    StoreFolder::Content content = folder.read(kind, name);
    if (content.bytes) {
      // Pruned while it was read: nothing was used later, so it stays. What is committed is git's to remove.
      const bool is_gone = level.writable && !folder.mark_used(kind, name);
      if (is_gone && !level.only_promoted) (void)folder.write(kind, name, *content.bytes);
      found = std::move(content.bytes);
      break;
    }
    if (!content.trouble.empty()) damaged.emplace_back(&level, std::move(content));
  }
  if (!found && !record && behind_) found = from_behind(name);
  for (const auto& [level, content] : damaged)
    if (found && !record && level->writable)
      repair(*level, name, *found, content.trouble);
    else if (content.corrupt)
      set_aside(*level, record, name, content.trouble);
    else
      leave_out(*level, record, name, content.trouble);
  return found;
}

std::optional<std::string> Store::from_behind(const Digest& digest) const {
  auto bytes = behind_(digest);
  if (!bytes || !StoreFolder::fault(Kind::blob, digest, *bytes).empty()) return std::nullopt;
  (void)put(false, digest, *bytes);  // a cache that takes nothing costs another request the next time
  return bytes;
}

void Store::repair(const Level& level, const Digest& digest, std::string_view bytes, const std::string& why) const {
  const StoreFolder folder(level.folder);
  if (!folder.write(Kind::blob, digest, bytes)) return set_aside(level, false, digest, why);
  (*warnings_)(folder.path(Kind::blob, digest).string() + ": it was damaged (" + why + "), and is repaired");
}

void Store::set_aside(const Level& level, bool record, const std::string& name, const std::string& why,
                      const std::optional<std::string>& rejected) const {
  const StoreFolder folder(level.folder);
  if (!level.writable || !folder.set_aside(kind_of(record), name, rejected)) return leave_out(level, record, name, why);
  (*warnings_)(unusable(folder.path(kind_of(record), name), why) + "; it was renamed to *.corrupt");
}

void Store::leave_out(const Level& level, bool record, const std::string& name, const std::string& why) const {
  (*warnings_)(unusable(StoreFolder(level.folder).path(kind_of(record), name), why) + "; it is left out");
}

void Store::reject_record(const Digest& request_key, const std::string& json, const std::string& why) const {
  for (const Level& level : levels_)
    if (const auto stored = StoreFolder(level.folder).read(Kind::record, request_key).bytes;
        stored && without_digest(*stored) == json)
      set_aside(level, true, request_key, why, stored);
}

Result<Digest> Store::put_blob(std::string_view bytes) {
  Digest digest = sha256(bytes);
  HONE_CHECK(put(false, digest, bytes));
  return digest;
}

Result<void> Store::put_record(const Digest& request_key, std::string_view json) {
  if (!is_digest(request_key))
    return coded_failure(DiagnosticCode::store_entry_missing, "not a request key: '" + request_key + "'");
  if (const std::string wrong = StoreFolder::fault(Kind::record, request_key, json); !wrong.empty())
    return coded_failure(DiagnosticCode::store_entry_missing, "not a record: " + wrong, request_key);
  return put(true, request_key, with_digest(json));
}

Result<void> Store::put(bool record, const std::string& name, std::string_view bytes) const {
  const Kind kind = kind_of(record);
  std::vector<Error> errors;
  bool taken = false;
  for (const Level& level : levels_) {
    if (!level.writable || level.only_promoted) continue;
    const StoreFolder folder(level.folder);
    const bool there = folder.read(kind, name).bytes == bytes && folder.mark_used(kind, name);
    const Result<void> written = there ? Result<void>{} : folder.write(kind, name, bytes);
    taken |= written.has_value();
    if (!written) errors.push_back(written.error());
  }
  if (!taken && errors.empty())
    return coded_failure(DiagnosticCode::store_unwritable, "no level of the cache may be written");
  if (!taken)
    return coded_failure(DiagnosticCode::store_unwritable, "the cache cannot be written: " + errors.front().what,
                         errors.front().where, errors.front().advice);
  for (const Error& error : errors) (*warnings_)("the cache cannot be written: " + error.message());
  return {};
}

Result<void> Store::promote(const Digest& digest) {
  if (levels_.empty() || !levels_.front().writable)
    return coded_failure(DiagnosticCode::store_unwritable, "the project's cache may not be written");
  const auto bytes = blob(digest);
  if (!bytes)
    return coded_failure(DiagnosticCode::store_entry_missing, "no blob " + digest + " in the cache", {},
                         "tune the kernel again");
  const StoreFolder project(levels_.front().folder);
  if (project.read(Kind::blob, digest).bytes) return {};
  return project.write(Kind::blob, digest, *bytes);
}

std::vector<Store::Stats> Store::stats() const {
  std::vector<Stats> all;
  for (const Level& level : levels_) {
    Stats stats{level.folder};
    for (const StoreFolder::Entry& entry : StoreFolder(level.folder).entries()) {
      std::size_t* const counts[] = {&stats.blobs, &stats.records, &stats.corrupt, &stats.temporaries};
      ++*counts[static_cast<unsigned>(entry.kind)];
      stats.bytes += entry.bytes;
    }
    all.push_back(std::move(stats));
  }
  return all;
}

std::vector<Store::Fault> Store::verify() const {
  std::vector<Fault> faults;
  for (const Level& level : levels_) {
    const StoreFolder folder(level.folder);
    for (const StoreFolder::Entry& entry : folder.entries()) {
      if (entry.kind != Kind::blob && entry.kind != Kind::record) continue;
      const StoreFolder::Content content = folder.read(entry.kind, entry.name);
      if (content.trouble.empty()) continue;
      if (level.writable && content.corrupt) folder.set_aside(entry.kind, entry.name);
      faults.push_back({entry.path, content.trouble});
    }
  }
  return faults;
}

}  // namespace hone::cache
