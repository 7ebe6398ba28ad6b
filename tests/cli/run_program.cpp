#include "run_program.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <sstream>
#include <thread>

namespace hone {
namespace {

std::string read_all(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

void redirect(const std::string& path, int descriptor, int flags) {
  const int opened = open(path.c_str(), flags, 0644);
  if (opened < 0 || dup2(opened, descriptor) < 0) _exit(126);
}

}  // namespace

Program::Program(const std::filesystem::path& folder, const std::vector<std::string>& arguments,
                 const std::string& input) {
  static std::atomic<int> count = 0;
  const std::string number = std::to_string(count++);
  const auto in = folder / ("in" + number);
  out_ = folder / ("out" + number);
  err_ = folder / ("err" + number);
  std::ofstream(in) << input;
  const std::string cache = (folder / "cache").string(), config = (folder / "config").string();
  std::vector<char*> words{const_cast<char*>(HONE_PROGRAM)};
  for (const std::string& argument : arguments) words.push_back(const_cast<char*>(argument.c_str()));
  words.push_back(nullptr);
  pid_ = fork();
  if (pid_ != 0) return;
  if (chdir(folder.c_str()) != 0) _exit(126);
  for (const int number : {SIGINT, SIGTSTP, SIGHUP}) signal(number, SIG_DFL);  // not as whoever runs the tests has them
  setenv("XDG_CACHE_HOME", cache.c_str(), 1);
  setenv("XDG_CONFIG_HOME", config.c_str(), 1);  // not that of whoever runs the tests
  redirect(in, 0, O_RDONLY);
  redirect(out_, 1, O_WRONLY | O_CREAT | O_TRUNC);
  redirect(err_, 2, O_WRONLY | O_CREAT | O_TRUNC);
  execv(HONE_PROGRAM, words.data());
  _exit(127);
}

Program::~Program() {
  if (reaped_) return;
  kill(pid_, SIGKILL);
  waitpid(pid_, &status_, 0);
}

void Program::send(int signal) const {
  kill(pid_, signal);
}

bool Program::ended() {
  if (!reaped_ && waitpid(pid_, &status_, WNOHANG) == pid_) reaped_ = true;
  return reaped_;
}

bool Program::run_until(const std::function<bool()>& done) {
  using clock = std::chrono::steady_clock;
  for (;;) {
    const auto start = clock::now();
    if (done()) return true;
    if (ended()) return false;
    // Looking may take long, as where it reads a recording; the program needs the processor more.
    std::this_thread::sleep_for(std::max<clock::duration>(std::chrono::milliseconds(10), 5 * (clock::now() - start)));
  }
}

Ended Program::wait() {
  if (!reaped_) waitpid(pid_, &status_, 0);
  reaped_ = true;
  Ended result;
  if (WIFEXITED(status_)) result.code = WEXITSTATUS(status_);
  if (WIFSIGNALED(status_)) result.signal = WTERMSIG(status_);
  result.out = read_all(out_);
  result.err = read_all(err_);
  return result;
}

}  // namespace hone
