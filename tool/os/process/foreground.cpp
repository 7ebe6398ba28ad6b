#include "tool/os/process/foreground.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "tool/os/process/system_failure.h"

namespace hone::os {
namespace {

double seconds_of(const timeval& time) {
  return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

// The program that a shell would take.
[[noreturn]] void become(const std::vector<std::string>& command, int report) {
  std::vector<char*> arguments;
  for (const std::string& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  const int error = errno;
  (void)!::write(report, &error, sizeof error);
  ::_exit(127);
}

}  // namespace

Result<ProgramEnd> run_in_foreground(const std::vector<std::string>& command,
                                     const std::vector<std::pair<std::string, std::string>>& environment) {
  int report[2];
  if (::pipe2(report, O_CLOEXEC) != 0) return system_failure("make a pipe");
  const pid_t child = ::fork();
  if (child < 0) return system_failure("start a process");
  if (child == 0) {
    for (const auto& [name, value] : environment) ::setenv(name.c_str(), value.c_str(), 1);
    become(command, report[1]);
  }
  ::close(report[1]);
  // Ctrl-C ends the program; what it did until then is told.
  struct sigaction ignore {
  }, before{};
  ignore.sa_handler = SIG_IGN;
  ::sigaction(SIGINT, &ignore, &before);
  int error = 0, status = 0;
  const bool failed = ::read(report[0], &error, sizeof error) == sizeof error;
  ::close(report[0]);
  struct rusage use {};
  while (::wait4(child, &status, 0, &use) < 0 && errno == EINTR) continue;
  ::sigaction(SIGINT, &before, nullptr);
  if (failed)
    return failure("the program cannot be started: " + std::string(std::strerror(error)), command[0],
                   "name it as a shell would: ./app");
  return ProgramEnd{WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status),
                    WIFSIGNALED(status) ? WTERMSIG(status) : 0, seconds_of(use.ru_utime) + seconds_of(use.ru_stime)};
}

}  // namespace hone::os
