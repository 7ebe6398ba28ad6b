#include "tool/project/file_digests.h"

#include <unistd.h>

#include "cache/digest.h"
#include "tool/os/files/files.h"

namespace hone::project {

std::optional<std::string> FileDigests::of(const std::string& path) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = digests_.find(path); known != digests_.end()) return known->second;
  }
  const auto text = os::read_file(path);
  std::optional<std::string> digest;
  if (text) digest = cache::sha256(*text);
  const std::lock_guard lock(mutex_);
  return digests_.emplace(path, std::move(digest)).first->second;
}

bool FileDigests::is_absent(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto [known, fresh] = absent_.try_emplace(path, false);
  if (fresh) known->second = ::access(path.c_str(), F_OK) != 0;
  return known->second;
}

}  // namespace hone::project
