// Test vocabulary: a real folder that goes with the test, files in it, warnings in the order given, child processes.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "cache/digest.h"
#include "tool/os/files/files.h"

namespace hone::cache {

namespace fs = std::filesystem;

class FolderTest : public ::testing::Test {
 protected:
  fs::path path(const std::string& name) const { return folder_.path() / name; }

  static void write(const fs::path& file, std::string_view text) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << text;
  }

  static std::string read(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

  static std::vector<std::string> names(const fs::path& folder) {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder)) found.push_back(entry.path().filename().string());
    std::sort(found.begin(), found.end());
    return found;
  }

  std::function<void(const std::string&)> warn() {
    return [this](const std::string& message) { warnings_.push_back(message); };
  }

  std::vector<std::string> warnings_;

 private:
  os::TemporaryFolder folder_ = std::move(*os::TemporaryFolder::create("hone-cache-test"));
};

// A process of its own that runs `body` and exits with 0 if that returned true.
inline pid_t spawn(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  return child;
}

inline bool succeeded(pid_t child) {
  int status = 0;
  return ::waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

inline const Digest& missing() {
  static const Digest digest(64, 'a');
  return digest;
}

}  // namespace hone::cache
