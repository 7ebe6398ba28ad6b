#include "cache/store_folder.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "cache/checked_record.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"

namespace hone::cache {
namespace fs = std::filesystem;
namespace {

using Kind = StoreFolder::Kind;

constexpr std::size_t kMaxEntryBytes = std::size_t{256} << 20;  // a source or a record is never near it

const char* subfolder(Kind kind) {
  return kind == Kind::record ? "ac" : "cas";
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

// false: it is gone, or no file.
bool read_times(StoreFolder::Entry& entry) {
  struct stat status {};
  if (::lstat(entry.path.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return false;
  entry.bytes = static_cast<std::uintmax_t>(status.st_size);
  entry.accessed = nanoseconds(status.st_atim);
  entry.changed = nanoseconds(status.st_mtim);
  return true;
}

// Blob, record, corrupt or temporary by its name alone; nullopt: not ours.
std::optional<Kind> kind_of(const std::string& name, Kind of_folder) {
  if (is_digest(name)) return of_folder;
  if (name.ends_with(".corrupt") && is_digest(std::string_view(name).substr(0, 64))) return Kind::corrupt;
  if (name.starts_with(".") && name.ends_with(".tmp")) return Kind::temporary;
  return std::nullopt;
}

void append_entries(std::vector<StoreFolder::Entry>& to, const fs::path& folder, Kind of_folder) {
  std::error_code error;
  for (auto i = fs::directory_iterator(folder, error); !error && i != fs::directory_iterator(); i.increment(error)) {
    const std::string name = i->path().filename().string();
    if (const auto kind = kind_of(name, of_folder)) {
      StoreFolder::Entry entry{*kind, i->path(), name};
      if (read_times(entry)) to.push_back(std::move(entry));
    }
  }
}

// Out of reach, or not what belongs there?
bool is_no_entry(const fs::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 &&
         (!S_ISREG(status.st_mode) || static_cast<std::uintmax_t>(status.st_size) > kMaxEntryBytes);
}

// Somebody else's newer file is never overwritten. Some file systems have no hard links.
void put_back(const fs::path& from, const fs::path& to) {
  if (::link(from.c_str(), to.c_str()) == 0 || errno == EEXIST)
    ::unlink(from.c_str());
  else
    ::rename(from.c_str(), to.c_str());
}

}  // namespace

std::string StoreFolder::fault(Kind kind, const std::string& name, std::string_view bytes) {
  if (kind == Kind::blob) return sha256(bytes) == name ? "" : "its bytes do not have the digest in its name";
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool object = first != bytes.npos && bytes[first] == '{';
  if (!object || !nlohmann::json::accept(bytes)) return "it is not one whole JSON object";
  return without_digest(bytes) ? "" : "its bytes do not have the digest that it ends with";
}

fs::path StoreFolder::path(Kind kind, const std::string& name) const {
  return folder_ / subfolder(kind) / name;
}

// One opening, so that a file which comes or goes meanwhile is there or is not.
StoreFolder::Content StoreFolder::read(Kind kind, const std::string& name) const {
  const fs::path file = path(kind, name);
  auto bytes = os::read_file_if_there(file, kMaxEntryBytes);
  if (!bytes) return {{}, bytes.error().what, is_no_entry(file)};
  if (!*bytes) return {};
  if (std::string wrong = fault(kind, name, **bytes); !wrong.empty()) return {{}, std::move(wrong), true};
  return {std::move(*bytes), ""};
}

Result<void> StoreFolder::write(Kind kind, const std::string& name, std::string_view bytes) const {
  return os::write_file_atomically(path(kind, name), bytes);
}

bool StoreFolder::set_aside(Kind kind, const std::string& name, const std::optional<std::string>& rejected) const {
  const fs::path file = path(kind, name), aside = file.string() + ".corrupt";
  const auto is_whole = [&](const fs::path& at) {
    const auto bytes = os::read_file_if_there(at, kMaxEntryBytes);
    return bytes && *bytes && *bytes != rejected && fault(kind, name, **bytes).empty();
  };
  if (is_whole(file) || ::rename(file.c_str(), aside.c_str()) != 0) return false;
  if (!is_whole(aside)) return true;
  put_back(aside, file);  // written between the look and the rename
  return false;
}

// The access time, set by hand: many file systems are mounted without it. Never the time of change, which build tools
// read.
bool StoreFolder::mark_used(Kind kind, const std::string& name) const {
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  return ::utimensat(AT_FDCWD, path(kind, name).c_str(), times, 0) == 0 || (errno != ENOENT && errno != ESTALE);
}

// Out of the way first: whoever marked it before is seen then, and whoever comes later finds it gone, and writes it
// again.
Result<StoreFolder::Removal> StoreFolder::remove_unused(const Entry& listed) {
  const auto trouble = [&] {
    return coded_failure(DiagnosticCode::store_unwritable,
                         std::string("cannot remove a cache entry: ") + std::strerror(errno), listed.path.string(),
                         "check its permissions");
  };
  Entry entry = listed;
  if (listed.kind == Kind::blob || listed.kind == Kind::record) {
    entry.path = listed.path.parent_path() / ("." + listed.name + ".pruned.tmp");
    if (::rename(listed.path.c_str(), entry.path.c_str()) != 0)
      return errno == ENOENT ? Result<Removal>(Removal::gone) : trouble();
    if (read_times(entry) && (entry.accessed != listed.accessed || entry.changed != listed.changed)) {
      put_back(entry.path, listed.path);
      return Removal::used;
    }
  }
  if (::unlink(entry.path.c_str()) == 0) return Removal::removed;
  return errno == ENOENT ? Result<Removal>(Removal::gone) : trouble();
}

std::vector<StoreFolder::Entry> StoreFolder::entries() const {
  std::vector<Entry> found;
  append_entries(found, folder_ / "cas", Kind::blob);
  append_entries(found, folder_ / "ac", Kind::record);
  return found;
}

}  // namespace hone::cache
