#include "tool/executor/slurm.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <random>
#include <set>
#include <sstream>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/base/printable.h"
#include "tool/command/words.h"
#include "tool/diagnostics/coded_failure.h"
#include "tool/executor/slurm_words.h"
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
  return coded_failure(DiagnosticCode::executor_unreachable,
                       fmt::format("'{}' is not on PATH: this machine cannot submit to Slurm", program),
                       "--executor slurm",
                       "install Slurm's client (Debian: slurm-client), or tune where jobs are submitted");
}

bool is_job(const std::string& job) {
  return !job.empty() && job.find_first_not_of("0123456789_") == std::string::npos;
}

// Of a list of sinfo's, which calls an empty one "(null)". Commas inside of parentheses belong to a name:
// "gpu:2(S:0,1)".
void add_words(std::string_view list, std::set<std::string>& to) {
  std::string word;
  int depth = 0;
  for (const char c : std::string(list) + ',') {
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (c != ',' || depth > 0) {
      word += c;
    } else if (const std::string whole = std::exchange(word, ""); !whole.empty() && whole != "(null)") {
      to.insert(whole);
    }
  }
}

}  // namespace

Result<SlurmRequest> read_slurm_request(const std::string& text) {
  constexpr const char* how = "write slurm:PARTITION [options of srun]; `sinfo` lists the partitions";
  const auto words = split_words(text);
  if (!words)
    return coded_failure(DiagnosticCode::executor_unknown,
                         words.error().what == "the command is empty" ? "no partition is named" : words.error().what,
                         "--executor slurm:", how);
  if (words->front().starts_with('-'))
    return coded_failure(DiagnosticCode::executor_unknown, "no partition is named", "--executor slurm:" + text, how);
  const auto end = std::find(words->begin() + 1, words->end(), "--");
  SlurmRequest request{words->front(), {words->begin() + 1, end}, {}};
  if (end != words->end()) request.worker = {end + 1, words->end()};
  if (end != words->end() && request.worker.empty())
    return coded_failure(DiagnosticCode::executor_unknown, "no worker is named behind --", "--executor slurm:" + text,
                         "name the command that starts hone-worker on a node, or leave -- out");
  // srun would take it for the program to run, and everything behind it for its arguments.
  if (!request.options.empty() && !request.options.front().starts_with('-'))
    return coded_failure(DiagnosticCode::executor_unknown,
                         fmt::format("'{}' is no option of srun", request.options.front()), "--executor slurm:" + text,
                         how);
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

std::string SlurmSource::ask(std::vector<std::string> question) {
  const auto exit = runner_.run({.arguments = std::move(question), .timeout = longest_question});
  return exit && exit->ok() ? exit->out : "";
}

void SlurmSource::cancel(const std::string& job) {
  if (is_job(job)) ask({"scancel", "--quiet", job});
}

std::string SlurmSource::why_waiting() {
  std::istringstream lines(ask({"squeue", "--noheader", "--states=PENDING", "--name=" + job_name_, "--format=%i %r"}));
  std::vector<std::string> jobs;
  for (std::string line; std::getline(lines, line) && jobs.size() < 3;) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string::npos) continue;
    const std::string reason = line.substr(blank + 1);
    const std::string_view remark = meaning_of_pending(reason);
    jobs.push_back(printable_line(
        fmt::format("job {} is pending ({}{}{})", line.substr(0, blank), reason, remark.empty() ? "" : ": ", remark)));
  }
  return fmt::format("{}", fmt::join(jobs, ", "));
}

Meaning SlurmSource::meaning(const std::string& words) {
  Meaning meaning = meaning_of_srun(words);
  if (is_about_nodes(words)) meaning.advice = offer();
  return meaning;
}

std::optional<std::chrono::seconds> SlurmSource::time_left(const std::string& job) {
  if (!is_job(job)) return std::nullopt;
  return read_slurm_time(ask({"squeue", "--noheader", "--jobs=" + job, "--format=%L"}));
}

// "partition gpu has features zen, avx2 and devices gpu:h100:4". Each line of sinfo is one kind of node.
std::string SlurmSource::offer() {
  const std::string told = ask({"sinfo", "--noheader", "--partition=" + request_.partition, "--format=%f|%G"});
  if (told.empty()) return "`sinfo` lists what there is";
  std::set<std::string> features, devices;
  std::istringstream lines(told);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t bar = line.find('|');
    add_words(line.substr(0, bar), features);
    if (bar != std::string::npos) add_words(line.substr(bar + 1), devices);
  }
  const auto list = [](const std::set<std::string>& names) {
    return names.empty() ? "none" : printable_line(fmt::format("{}", fmt::join(names, ", ")));
  };
  return fmt::format("nodes of partition {} have these features: {}; these devices: {}; `sinfo -N -l` lists more",
                     request_.partition, list(features), list(devices));
}

}  // namespace hone::executor
