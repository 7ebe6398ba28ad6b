// Lock files of one test: a name that no other process uses, and nothing left in /tmp behind it.
#pragma once

#include <unistd.h>

#include <filesystem>
#include <string>
#include <system_error>

namespace hone::judge {

class LockFiles {
 public:
  explicit LockFiles(const std::string& test) : name_(test + "-" + std::to_string(getpid())) {}
  ~LockFiles() {
    std::error_code ignored;
    for (const auto& entry : std::filesystem::directory_iterator("/tmp", ignored))
      if (entry.path().filename().string().starts_with("hone-timing-" + name_ + "-"))
        std::filesystem::remove(entry.path(), ignored);
  }
  LockFiles(const LockFiles&) = delete;
  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace hone::judge
