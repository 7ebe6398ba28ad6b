#include "cache/store_folder.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <system_error>

#include "tool/os/files/files.h"

namespace hone::cache {
namespace fs = std::filesystem;
namespace {

using Kind = StoreFolder::Kind;

constexpr std::uintmax_t kMaxEntryBytes = std::uintmax_t{256} << 20;  // a source or a record is never near it

const char* subfolder(Kind kind) {
  return kind == Kind::record ? "ac" : "cas";
}

std::int64_t nanoseconds(const timespec& time) {
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
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
    const auto kind = kind_of(name, of_folder);
    struct stat status {};
    if (!kind || ::lstat(i->path().c_str(), &status) != 0 || !S_ISREG(status.st_mode)) continue;
    to.push_back({*kind, i->path(), name, static_cast<std::uintmax_t>(status.st_size),
                  std::max(nanoseconds(status.st_atim), nanoseconds(status.st_mtim))});
  }
}

}  // namespace

std::string StoreFolder::fault(Kind kind, const std::string& name, std::string_view bytes) {
  if (kind == Kind::blob) return sha256(bytes) == name ? "" : "its bytes do not have the digest in its name";
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  const bool object = first != bytes.npos && bytes[first] == '{';
  return object && nlohmann::json::accept(bytes) ? "" : "it is not one whole JSON object";
}

fs::path StoreFolder::path(Kind kind, const std::string& name) const {
  return folder_ / subfolder(kind) / name;
}

StoreFolder::Content StoreFolder::read(Kind kind, const std::string& name) const {
  const fs::path file = path(kind, name);
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (status.type() == fs::file_type::not_found) return {};
  if (status.type() == fs::file_type::none) return {{}, "cannot read it: " + error.message()};
  if (!fs::is_regular_file(status)) return {{}, "it is not a regular file"};
  if (fs::file_size(file, error) > kMaxEntryBytes) return {{}, "it is larger than 256 MiB"};
  auto bytes = os::read_file(file);
  if (!bytes) return {{}, bytes.error().what};
  if (std::string wrong = fault(kind, name, *bytes); !wrong.empty()) return {{}, std::move(wrong)};
  return {std::move(*bytes), ""};
}

Result<void> StoreFolder::write(Kind kind, const std::string& name, std::string_view bytes) const {
  return os::write_file_atomically(path(kind, name), bytes);
}

bool StoreFolder::set_aside(Kind kind, const std::string& name) const {
  const fs::path file = path(kind, name);
  std::error_code error;
  fs::rename(file, file.string() + ".corrupt", error);
  return !error;
}

// The access time, set by hand: many file systems are mounted without it. Never the time of change, which build tools
// read.
void StoreFolder::mark_used(Kind kind, const std::string& name) const {
  const timespec times[2] = {{0, UTIME_NOW}, {0, UTIME_OMIT}};
  ::utimensat(AT_FDCWD, path(kind, name).c_str(), times, 0);
}

std::vector<StoreFolder::Entry> StoreFolder::entries() const {
  std::vector<Entry> found;
  append_entries(found, folder_ / "cas", Kind::blob);
  append_entries(found, folder_ / "ac", Kind::record);
  return found;
}

}  // namespace hone::cache
