#include "tests/corpus/surroundings.h"

#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <fstream>
#include <stdexcept>
#include <thread>

#include <fmt/format.h>

namespace hone::corpus {
namespace {

namespace fs = std::filesystem;

// In every name that a candidate of the corpus gives to what it leaves.
constexpr const char* mark = "hone-corpus-escape";
constexpr const char* memory_key = "1213156933";  // of shared memory: 0x484f4e45

void replace_all(std::string& text, const std::string& what, const std::string& with) {
  for (std::size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + with.size()))
    text.replace(at, what.size(), with);
}

void make_for_everyone(const fs::path& folder) {
  fs::create_directories(folder);
  fs::permissions(folder, fs::perms::all);
}

// Alive ones; the dead are taken away. What is being killed gets a moment.
bool has_children() {
  for (int attempt = 0; attempt < 200; ++attempt) {
    pid_t ended = 0;
    while ((ended = waitpid(-1, nullptr, WNOHANG | __WALL)) > 0) continue;
    if (ended < 0) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  return true;
}

std::string marked_files() {
  for (const char* folder : {"/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue"}) {
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
      if (entry.path().filename().string().find(mark) != std::string::npos) return entry.path();
  }
  std::ifstream segments("/proc/sysvipc/shm");
  for (std::string line; std::getline(segments, line);)
    if (line.find(memory_key) != std::string::npos) return "shared memory " + line;
  return "";
}

}  // namespace

Surroundings::Surroundings()
    : folder_(os::TemporaryFolder::create("hone-corpus").value()), sentinel_(folder_.path() / "work" / "sentinel") {
  fs::permissions(folder_.path(), fs::perms::all);
  for (const char* name : {"tmp", "home", "work"}) make_for_everyone(folder_.path() / name);
  std::ofstream(sentinel_) << "as it was\n";
  fs::permissions(sentinel_, fs::perms::all);
  setenv("TMPDIR", (folder_.path() / "tmp").c_str(), 1);
  setenv("HOME", (folder_.path() / "home").c_str(), 1);
  setenv("HONE_CORPUS_API_KEY", "a secret", 1);
  fs::current_path(folder_.path() / "work");
  if (prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0) != 0) throw std::runtime_error("cannot become a subreaper");
  before_ = look();
}

std::string Surroundings::fill(std::string text) const {
  replace_all(text, "@SENTINEL@", sentinel_.string());
  replace_all(text, "@FOLDER@", folder_.path().string());
  replace_all(text, "@JUDGE@", std::to_string(getpid()));
  return text;
}

Surroundings::Snapshot Surroundings::look() const {
  Snapshot snapshot;
  for (auto place = fs::recursive_directory_iterator(folder_.path()); place != fs::recursive_directory_iterator();
       ++place) {
    const fs::directory_entry& entry = *place;
    const std::string name = entry.path().filename();
    if (name.starts_with("hone-preamble-")) {  // what the compiler keeps for its next texts
      place.disable_recursion_pending();
      continue;
    }
    if (name.starts_with("hone-timing-")) continue;  // the lock of the machine's timing, which stays
    struct stat status {};
    if (lstat(entry.path().c_str(), &status) != 0) continue;
    const bool folder = S_ISDIR(status.st_mode);  // its time changes with every file that comes and goes
    snapshot[entry.path()] =
        folder ? fmt::format("mode {:o}", status.st_mode)
               : fmt::format("mode {:o} size {} time {}.{} content {}", status.st_mode, status.st_size,
                             status.st_mtim.tv_sec, status.st_mtim.tv_nsec, os::read_file(entry.path()).value_or(""));
  }
  return snapshot;
}

std::string Surroundings::traces() {
  if (has_children()) return "a process was left";
  if (const std::string file = marked_files(); !file.empty()) return "left " + file;
  const Snapshot now = look();
  for (const auto& [path, state] : now) {
    const auto earlier = before_.find(path);
    if (earlier == before_.end()) return "left " + path;
    if (earlier->second != state) return fmt::format("changed {}: {} became {}", path, earlier->second, state);
  }
  for (const auto& [path, state] : before_)
    if (!now.contains(path)) return "removed " + path;
  return "";
}

}  // namespace hone::corpus
