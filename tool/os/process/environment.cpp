#include "tool/os/process/environment.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string_view>

#include <fmt/format.h>

extern char** environ;

namespace hone::os {
namespace {

enum class Found { missing, not_executable, usable };

Found look(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return Found::missing;
  return S_ISREG(status.st_mode) && ::access(path.c_str(), X_OK) == 0 ? Found::usable : Found::not_executable;
}

Result<std::string> checked(const std::string& path) {
  switch (look(path)) {
    case Found::missing:
      return failure("there is no such program", path, "check its path");
    case Found::not_executable:
      return failure("it is not an executable file", path, "check its permissions");
    case Found::usable:
      break;
  }
  return path;
}

}  // namespace

bool is_secret(const std::string& name) {
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const std::string_view end : {"_KEY", "_TOKEN", "_SECRET"}) {
    if (upper.ends_with(end)) return true;
  }
  return upper.find("PASSWORD") != std::string::npos || upper.find("CREDENTIAL") != std::string::npos;
}

Environment environment_without_secrets() {
  Environment kept;
  for (char** item = environ; item != nullptr && *item != nullptr; ++item) {
    const std::string_view text = *item;
    const std::size_t equals = text.find('=');
    if (equals == std::string_view::npos || equals == 0) continue;
    std::string name(text.substr(0, equals));
    if (!is_secret(name)) kept.emplace(std::move(name), text.substr(equals + 1));
  }
  return kept;
}

Environment minimal_environment(const SandboxPolicy& policy) {
  const std::string place = policy.writable.empty() ? "/nonexistent" : policy.writable.front();
  return {{"PATH", "/usr/local/bin:/usr/bin:/bin"}, {"LANG", "C.UTF-8"}, {"TMPDIR", place}, {"HOME", place}};
}

Result<std::string> find_program(const std::string& name, const std::string& directory,
                                 const std::string& search_path) {
  if (name.empty()) return failure("there is no program to run");
  if (name.find('/') != std::string::npos) {
    return checked(name.front() == '/' || directory.empty() ? name : directory + "/" + name);
  }
  for (std::size_t at = 0; at <= search_path.size();) {
    const std::size_t end = std::min(search_path.find(':', at), search_path.size());
    const std::string folder = search_path.substr(at, end - at);
    const std::string path = (folder.empty() ? "." : folder) + "/" + name;
    if (look(path) == Found::usable) return path;
    at = end + 1;
  }
  return failure(fmt::format("the program '{}' is not on PATH", name), {}, "install it, or give its path");
}

std::optional<std::string> find_installed_program(const std::string& name, const std::string& search_path) {
  std::istringstream folders(search_path);
  for (std::string folder; std::getline(folders, folder, ':');)
    if (folder.starts_with('/') && look(folder + "/" + name) == Found::usable) return folder + "/" + name;
  return std::nullopt;
}

}  // namespace hone::os
