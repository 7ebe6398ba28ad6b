// Hone, killed in the middle of judging: nothing that it started lives on, and the next run removes what lay about.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <functional>
#include <random>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/projects/project.h"

namespace hone::tests {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kSum = R"(#pragma hone kernel in(a[0:n*n]) out(y[0:n]) problem(n=500)
void row_sums(const float* a, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) y[i] += a[i * n + j];
}
)";
constexpr const char* kCandidate = R"(void row_sums(const float* a, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int j = 0; j < n; ++j) sum += a[i * n + j];
    y[i] = sum;
  }
}
)";

class KilledRun : public testing::Test {
 protected:
  void SetUp() override {
    project.write("sum.cpp", kSum);
    project.write("faster.cpp", kCandidate);
    const nlohmann::json entry = {
        {"directory", project.source().string()},
        {"file", (project.source() / "sum.cpp").string()},
        {"output", "sum.o"},
        {"arguments", {"g++", "-O2", "-Wno-unknown-pragmas", "-c", "sum.cpp", "-o", "sum.o"}}};
    project.write("../build/compile_commands.json", nlohmann::json::array({entry}).dump());
    fs::create_directories(temporary());
    fs::permissions(temporary(), fs::perms::all);
  }

  fs::path temporary() const { return project.folder() / "temporary"; }

  std::vector<std::string> eval() const {
    return {HONE_PROGRAM,
            "eval",
            "-p",
            project.build().string(),
            "--kernel",
            "row_sums",
            (project.source() / "faster.cpp").string()};
  }
  std::vector<std::string> tune() const {
    return {HONE_PROGRAM, "tune", "-p", project.build().string(), "--trials", "2", "--budget", "30s"};
  }

  pid_t start(std::vector<std::string> command) const {
    std::vector<char*> words;
    for (std::string& word : command) words.push_back(word.data());
    words.push_back(nullptr);
    const pid_t pid = ::fork();
    if (pid != 0) return pid;
    if (::chdir(project.folder().c_str()) != 0) ::_exit(127);
    ::setenv("TMPDIR", temporary().c_str(), 1);
    ::setenv("XDG_CACHE_HOME", (project.folder() / "user cache").c_str(), 1);
    ::freopen("/dev/null", "w", stdout);
    ::freopen("/dev/null", "w", stderr);
    ::execv(words[0], words.data());
    ::_exit(127);
  }

  // Descendants, wherever they have gone: found by their parents while they live, by this set once they are orphans.
  std::set<pid_t> family(pid_t root) const {
    std::set<pid_t> found{root};
    for (bool more = true; more;) {
      more = false;
      std::error_code error;
      for (const auto& entry : fs::directory_iterator("/proc", error)) {
        const pid_t pid = std::atoi(entry.path().filename().c_str());
        if (pid <= 0 || found.contains(pid)) continue;
        const std::string stat = os::read_file(entry.path() / "stat").value_or("");
        const std::size_t name_end = stat.rfind(')');
        if (name_end == std::string::npos || name_end + 4 > stat.size()) continue;
        if (found.contains(std::atoi(stat.c_str() + name_end + 4))) more = found.insert(pid).second;
      }
    }
    return found;
  }
  static bool lives(pid_t pid) {
    const std::string stat = os::read_file("/proc/" + std::to_string(pid) + "/stat").value_or("");
    const std::size_t name_end = stat.rfind(')');
    return name_end != std::string::npos && stat.substr(name_end + 2, 1) != "Z";
  }
  static bool gone(const std::set<pid_t>& pids) {
    for (int look = 0; look < 10'000; ++look, std::this_thread::sleep_for(1ms))
      if (std::none_of(pids.begin(), pids.end(), lives)) return true;
    return false;
  }

  // Lets it run for a while, kills it and its family's `victim` where there is one, and waits until none is left.
  void kill_in_the_middle(const std::vector<std::string>& command, std::chrono::milliseconds after,
                          const std::string& victim = "") {
    const pid_t pid = start(command);
    std::this_thread::sleep_for(after);
    const std::set<pid_t> all = family(pid);
    bool hit = false;
    for (const pid_t one : all) {
      const std::string name = os::read_file("/proc/" + std::to_string(one) + "/comm").value_or("");
      if (!victim.empty() && name.starts_with(victim)) hit = ::kill(one, SIGKILL) == 0;
    }
    if (!hit) ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
    EXPECT_TRUE(gone(all)) << after.count() << " ms";
  }

  // But for the locks of the device that is timed on, which are everybody's.
  std::vector<std::string> left() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(temporary()))
      if (!entry.path().filename().string().starts_with("hone-timing-cpu")) names.push_back(entry.path().filename());
    return names;
  }
  Outcome whole(const std::vector<std::string>& command) const {
    return project.run(command, project.folder(), {"TMPDIR=" + temporary().string()});
  }

  Project project;
  std::mt19937 random_{std::random_device{}()};
};

TEST_F(KilledRun, LeavesNoProcessAndNextEvaluationCleansUp) {
  for (int run = 0; run < 4; ++run) kill_in_the_middle(eval(), std::chrono::milliseconds(random_() % 2500));
  const Outcome judged = whole(eval());
  EXPECT_EQ(judged.code, 0) << judged.all();
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(KilledRun, LosesRunnersWithKilledWorker) {
  for (int run = 0; run < 2; ++run)
    kill_in_the_middle(eval(), 700ms + std::chrono::milliseconds(random_() % 1500), "hone-worker");
  EXPECT_EQ(whole(eval()).code, 0);
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(KilledRun, LeavesNoProcessAndNextSearchContinues) {
  for (int run = 0; run < 3; ++run) kill_in_the_middle(tune(), std::chrono::milliseconds(random_() % 5000));
  const Outcome tuned = whole(tune());
  EXPECT_LE(tuned.code, 1) << tuned.all();
  EXPECT_TRUE(fs::exists(project.folder() / "hone.lock")) << tuned.all();
  EXPECT_THAT(left(), IsEmpty());
}

TEST_F(KilledRun, FailsIfRequiredSandboxLevelIsUnknown) {
  for (std::vector<std::string> command : {eval(), tune()}) {
    const Outcome refused = project.run(command, project.folder(), {"HONE_SANDBOX=require:strong"});
    EXPECT_EQ(refused.code, 3) << refused.all();
    EXPECT_THAT(refused.err, HasSubstr("HONE_SANDBOX names no level: 'require:strong'"));
  }
}

TEST_F(KilledRun, ReportsChosenSandboxLevel) {
  for (const char* level : {"landlock", "mounts"}) {
    const Outcome picked =
        project.run({"sh", "-c", "\"$@\" --json", "sh", HONE_PROGRAM, "eval", "-p", project.build().string(),
                     "--kernel", "row_sums", (project.source() / "faster.cpp").string()},
                    project.folder(), {std::string("HONE_SANDBOX=") + level});
    if (picked.code == 3) GTEST_SKIP() << "no level " << level << " here: " << picked.err;
    EXPECT_THAT(picked.out, HasSubstr(std::string("\"sandbox\": \"") + level + "\"")) << picked.err;
  }
}

}  // namespace
}  // namespace hone::tests
