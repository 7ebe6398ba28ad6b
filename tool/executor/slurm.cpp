#include "tool/executor/slurm.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <random>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/base/printable.h"
#include "tool/command/words.h"
#include "tool/os/process/environment.h"
#include "tool/os/process/system_failure.h"

namespace hone::executor {
namespace {

using namespace std::chrono_literals;

constexpr auto longest_question = 5s;  // to the controller

// It waits in the background, in a session of its own, for the end of its input. Three times, as an srun may be on its
// way to the controller when its process dies.
constexpr const char* watcher =
    "exec 3<&0\n"
    "( read -r _ <&3; for _ in 1 2 3; do scancel --quiet --name=\"$0\"; sleep 1; done ) </dev/null >/dev/null 2>&1 &\n";

std::string fresh_name() {
  std::random_device entropy;
  return fmt::format("hone-{:08x}{:08x}", entropy(), entropy());
}

Result<void> is_installed(const std::string& program) {
  const char* path = std::getenv("PATH");
  if (os::find_program(program, "", path ? path : "")) return {};
  return failure(fmt::format("'{}' is not on PATH: this machine cannot submit to Slurm", program), "--executor slurm",
                 "install Slurm's client (Debian: slurm-client), or tune where jobs are submitted");
}

}  // namespace

Result<SlurmRequest> read_slurm_request(const std::string& text) {
  constexpr const char* how = "write slurm:PARTITION [options of srun]; `sinfo` lists the partitions";
  const auto words = split_words(text);
  if (!words)
    return failure(words.error().what == "the command is empty" ? "no partition is named" : words.error().what,
                   "--executor slurm:", how);
  if (words->front().starts_with('-')) return failure("no partition is named", "--executor slurm:" + text, how);
  const auto end = std::find(words->begin() + 1, words->end(), "--");
  SlurmRequest request{words->front(), {words->begin() + 1, end}, {}};
  if (end != words->end()) request.worker = {end + 1, words->end()};
  if (end != words->end() && request.worker.empty())
    return failure("no worker is named behind --", "--executor slurm:" + text,
                   "name the command that starts hone-worker on a node, or leave -- out");
  // srun would take it for the program to run, and everything behind it for its arguments.
  if (!request.options.empty() && !request.options.front().starts_with('-'))
    return failure(fmt::format("'{}' is no option of srun", request.options.front()), "--executor slurm:" + text, how);
  return request;
}

SlurmSource::SlurmSource(SlurmRequest request, os::ProcessRunner& runner)
    : request_(std::move(request)), runner_(runner), job_name_(fresh_name()) {}

Result<std::unique_ptr<SlurmSource>> SlurmSource::open(SlurmRequest request, const std::string& worker,
                                                       os::ProcessRunner& runner) {
  HONE_CHECK(is_installed("srun"));
  HONE_CHECK(is_installed("scancel"));
  if (request.worker.empty()) request.worker = {worker};
  std::unique_ptr<SlurmSource> source(new SlurmSource(std::move(request), runner));
  HONE_CHECK(source->start_watcher());
  return source;
}

Result<void> SlurmSource::start_watcher() {
  int both[2];
  if (::pipe2(both, O_CLOEXEC) != 0) return os::system_failure("make a pipe");
  const os::Descriptor theirs(both[0]);
  watched_ = os::Descriptor(both[1]);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, theirs.get(), 0);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID);
  std::string words[] = {"sh", "-c", watcher, job_name_};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), words[3].data(), nullptr};
  pid_t shell = 0;
  const int error = ::posix_spawn(&shell, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  if (error != 0) return os::system_failure("start the watcher of its jobs", error);
  while (::waitpid(shell, nullptr, 0) < 0 && errno == EINTR) continue;
  return {};
}

// The options of ours stand behind the user's, so that they win.
std::vector<std::string> SlurmSource::command(const std::set<std::string>& avoided) {
  std::vector<std::string> words{"srun", "--partition=" + request_.partition};
  words.insert(words.end(), request_.options.begin(), request_.options.end());
  words.insert(words.end(), {"--nodes=1", "--ntasks=1", "--mpi=none", "--chdir=/tmp", "--job-name=" + job_name_});
  if (!avoided.empty()) words.push_back(fmt::format("--exclude={}", fmt::join(avoided, ",")));
  words.push_back("--");
  words.insert(words.end(), request_.worker.begin(), request_.worker.end());
  words.push_back("--serve");
  return words;
}

std::optional<std::map<std::string, std::string>> SlurmSource::environment() {
  if (std::getenv("SLURM_JOB_ID") == nullptr) return std::nullopt;
  auto variables = os::environment_without_secrets();
  std::erase_if(variables, [](const auto& variable) {
    const std::string& name = variable.first;
    return (name.starts_with("SLURM_") || name.starts_with("SLURMD_") || name.starts_with("SRUN_")) &&
           name != "SLURM_CONF";
  });
  return variables;
}

void SlurmSource::cancel(const std::string& job) {
  const bool is_number = !job.empty() && job.find_first_not_of("0123456789_") == std::string::npos;
  if (is_number) (void)runner_.run({.arguments = {"scancel", "--quiet", job}, .timeout = longest_question});
}

std::string SlurmSource::why_waiting() {
  const auto exit =
      runner_.run({.arguments = {"squeue", "--noheader", "--states=PENDING", "--name=" + job_name_, "--format=%i %r"},
                   .timeout = longest_question});
  if (!exit || !exit->ok()) return "";
  std::vector<std::string> jobs;
  std::istringstream lines(exit->out);
  for (std::string line; std::getline(lines, line) && jobs.size() < 3;) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    jobs.push_back(
        printable_line(fmt::format("job {} is pending ({})", line.substr(0, blank), line.substr(blank + 1))));
  }
  return fmt::format("{}", fmt::join(jobs, ", "));
}

}  // namespace hone::executor
