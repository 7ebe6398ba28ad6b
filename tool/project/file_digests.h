// What files hold now, each read once in a process however many units ask about it. Thread-safe.
#pragma once

#include <map>
#include <mutex>
#include <optional>
#include <string>

namespace hone::project {

class FileDigests {
 public:
  // SHA-256 of the file's bytes; nullopt: it cannot be read.
  std::optional<std::string> of(const std::string& path);
  bool is_absent(const std::string& path);

 private:
  std::mutex mutex_;
  std::map<std::string, std::optional<std::string>> digests_;
  std::map<std::string, bool> absent_;
};

}  // namespace hone::project
