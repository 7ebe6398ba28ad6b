#include "tool/worker/batch.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tool/bundle/answer.h"
#include "tool/bundle/bundle.h"
#include "tool/judge/device/device.h"
#include "tool/os/files/files.h"

namespace hone::worker {
namespace {

namespace fs = std::filesystem;

constexpr unsigned quickest_at_once = 2;  // one starts its processes while the other is timed
constexpr const char* kinds[][2] = {{".bundle", ".verdict"}, {".in", ".out"}};

struct Job {
  fs::path bundle, result, claim;
};

// The jobs of a folder by name, those without a result.
Result<std::vector<Job>> open_jobs(const fs::path& folder) {
  std::vector<Job> jobs;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    const fs::path& path = entry.path();
    for (const auto& [asked, answered] : kinds) {
      fs::path result = path;
      if (path.extension() != asked || fs::exists(result.replace_extension(answered))) continue;
      jobs.push_back({path, result, folder / ("." + path.filename().string() + ".claim")});
    }
  }
  if (error) return failure("cannot read the folder: " + error.message(), folder.string());
  std::ranges::sort(jobs, {}, &Job::bundle);
  return jobs;
}

Result<void> judge_one(const Job& job, const judge::JudgeOptions& options) {
  HONE_TRY(const std::string bytes, os::read_file(job.bundle));
  HONE_TRY(const bundle::Bundle bundle, bundle::parse_bundle(bytes));
  HONE_TRY(const bundle::Answer answer, judge::judge(bundle, options));
  return os::write_file_atomically(job.result, bundle::serialize_answer(answer, bytes) + "\n");
}

// Passes over the jobs that nobody else is at; looks anew after each, for what has come or was done meanwhile.
Result<void> work_through(const fs::path& folder, const judge::JudgeOptions& options) {
  std::set<fs::path> tried;
  for (bool found = true; found;) {
    found = false;
    HONE_TRY(const std::vector<Job> jobs, open_jobs(folder));
    for (const Job& job : jobs) {
      if (tried.contains(job.bundle)) continue;
      HONE_TRY(const auto claim, os::FileLock::try_acquire(job.claim));
      if (!claim || fs::exists(job.result)) continue;
      found = true;
      tried.insert(job.bundle);
      if (const auto done = judge_one(job, options); !done)
        fmt::print(stderr, "hone-worker: {}: {}\n", job.bundle.filename().string(), done.error().message());
      std::error_code error;
      fs::remove(job.claim, error);
      break;
    }
  }
  return {};
}

// Counts devices in a process of its own: a driver that was opened does not survive a fork.
unsigned count_devices() {
  const pid_t child = fork();
  if (child == 0) _exit(static_cast<int>(std::min<std::size_t>(judge::Device::uuids().size(), 64)));
  int status = 0;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return child > 0 && WIFEXITED(status) ? static_cast<unsigned>(WEXITSTATUS(status)) : 0;
}

pid_t start_worker(const fs::path& folder, judge::JudgeOptions options, int device) {
  const pid_t parent = getpid(), child = fork();
  if (child != 0) return child;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(3);
  options.device = device;
  const auto done = work_through(folder, options);
  if (!done) fmt::print(stderr, "hone-worker: {}\n", done.error().message());
  _exit(done ? 0 : 3);
}

}  // namespace

Result<unsigned> judge_batch(const fs::path& folder, const judge::JudgeOptions& judge, const BatchOptions& options) {
  HONE_CHECK(open_jobs(folder));
  const unsigned devices = std::max(count_devices(), 1u);
  const unsigned at_once = options.at_once ? options.at_once : quickest_at_once;
  std::vector<pid_t> workers;
  for (unsigned number = 0; number < devices * at_once; ++number)
    workers.push_back(start_worker(folder, judge, static_cast<int>(number % devices)));
  for (const pid_t worker : workers) {
    if (worker < 0) continue;
    while (waitpid(worker, nullptr, 0) < 0 && errno == EINTR) continue;
  }
  HONE_TRY(const std::vector<Job> left, open_jobs(folder));
  return static_cast<unsigned>(left.size());
}

}  // namespace hone::worker
