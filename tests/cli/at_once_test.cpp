// Several candidates with a slow executor at once, as a queue or a room of GPUs wants them. The worker is a pretended
// one: it sleeps, and says when.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

using nlohmann::json;

class AtOnce : public testing::Test {
 protected:
  const SmallProject project_{twice_in_steps, "-O2", UNSANITIZED};

  std::filesystem::path log() const { return project_.folder() / "judged.log"; }
  // `hone tune` by a worker that takes so long for each candidate.
  std::vector<std::string> tune(const SmallProject& project, int milliseconds, const std::string& at_once) const {
    return {"tune",
            "-p",
            (project.folder() / "build").string(),
            "--budget",
            "10m",
            "--allow-none",
            "--trials",
            "8",
            "--executor",
            "command:" PRETEND_WORKER " " + log().string() + " " + std::to_string(milliseconds),
            "--at-once",
            at_once};
  }

  // The same by a program of the shell's, in which $worker judges at once. Its folder is the project's.
  std::vector<std::string> tune_by(const SmallProject& project, const std::string& script,
                                   const std::string& budget) const {
    project.write("worker.sh", "cd " + project.folder().string() + "\nworker=" PRETEND_WORKER "\n" + script);
    return {"tune",
            "-p",
            (project.folder() / "build").string(),
            "--budget",
            budget,
            "--allow-none",
            "--trials",
            "12",
            "--executor",
            "command:sh " + (project.folder() / "worker.sh").string(),
            "--jobs",
            "1",
            "--at-once",
            "3"};
  }
  static double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  }

  // How many were being judged at the busiest moment.
  int busiest() const {
    std::vector<std::pair<double, int>> events;
    std::ifstream file(log());
    std::string word;
    for (double from = 0, to = 0; file >> word >> from >> to;) events.insert(events.end(), {{from, 1}, {to, -1}});
    std::ranges::sort(events);
    int now = 0, most = 0;
    for (const auto& [when, change] : events) most = std::max(most, now += change);
    return most;
  }

  // What the search learned, in that order, without how long it took.
  static std::vector<std::string> course(const SmallProject& project) {
    std::vector<std::string> names;
    for (const std::string& line : project.journal()) {
      const json read = json::parse(line);
      names.push_back(read["name"].get<std::string>() + ": " + read["verdict"]["reason"].get<std::string>());
    }
    return names;
  }
};

TEST_F(AtOnce, RunsSeveralCandidatesUpToLimit) {
  ASSERT_EQ(run(project_.folder(), tune(project_, 1500, "3")).code, 0);
  EXPECT_GE(busiest(), 2) << "a machine that is slow to compile may have the third too late";
  EXPECT_LE(busiest(), 3);
}

TEST_F(AtOnce, RunsOneCandidateByDefault) {
  auto words = tune(project_, 50, "");
  words.resize(words.size() - 2);
  ASSERT_EQ(run(project_.folder(), words).code, 0);
  EXPECT_EQ(busiest(), 1);
}

TEST_F(AtOnce, TriesSameCandidatesHoweverLongJudgingTakes) {
  const SmallProject other(twice_in_steps, "-O2", UNSANITIZED);
  ASSERT_EQ(run(project_.folder(), tune(project_, 0, "3")).code, 0);
  ASSERT_EQ(run(other.folder(), tune(other, 300, "3")).code, 0);
  EXPECT_EQ(course(project_), course(other));
  EXPECT_GE(course(project_).size(), 6u);
  const auto is_trial = [](const std::string& line) { return !line.starts_with("reduced "); };
  EXPECT_LE(std::ranges::count_if(course(project_), is_trial), 1 + 8) << "the original's and the trials'";
}

// A slow one keeps its own place only: the next is sent when any of the three comes back.
TEST_F(AtOnce, SlowCandidateDoesNotBlockOthers) {
  const SmallProject product(slow_product, "-O2", UNSANITIZED);  // of which each transformation makes another program
  const auto words = tune_by(product, R"(mkdir reference 2>/dev/null && exec $worker
mkdir slow 2>/dev/null && { sleep 30; exec $worker; }
echo >> meanwhile
exec $worker
)",
                             "10m");
  Program program(product.folder(), words);
  const auto judged_beside_it = [&] {
    const std::string lines = product.read(product.folder() / "meanwhile");
    return std::ranges::count(lines, '\n');
  };
  EXPECT_TRUE(program.run_until([&] { return judged_beside_it() >= 3; }));
  EXPECT_LE(course(product).size(), 1u) << "the first has not been told yet";
  program.send(SIGTERM);
  program.wait();
}

TEST_F(AtOnce, EndsWithoutWaitingWhenExecutorFails) {
  // The first candidate's bundle fails, also when it is tried again; what is sent after it takes a minute.
  const auto words = tune_by(project_, R"(mkdir reference 2>/dev/null && exec $worker
bundle=$(mktemp) && cat > $bundle
[ -e first ] || { cp $bundle first; exit 1; }
cmp -s first $bundle && exit 1
echo >> others
sleep 60
)",
                             "10m");
  const auto start = std::chrono::steady_clock::now();
  const Ended ended = run(project_.folder(), words);
  EXPECT_LT(seconds_since(start), 40);
  EXPECT_NE(ended.code, 0);
  EXPECT_THAT(ended.out + ended.err, testing::HasSubstr("the executor ended with code 1"));
  EXPECT_NE(project_.read(project_.folder() / "others"), "") << "some were out";
}

TEST_F(AtOnce, EndsRunningCandidatesWithBudget) {
  const auto words = tune_by(project_, R"(mkdir reference 2>/dev/null && exec $worker
echo >> out
sleep 120
)",
                             "20s");
  const auto start = std::chrono::steady_clock::now();
  const Ended ended = run(project_.folder(), words);
  EXPECT_LT(seconds_since(start), 60);
  EXPECT_THAT(ended.out + ended.err, testing::HasSubstr("the budget ended before a candidate was judged"));
  const std::string out = project_.read(project_.folder() / "out");
  EXPECT_TRUE(out.size() >= 2 && out.size() <= 3) << out.size();
}

TEST_F(AtOnce, JudgesChoicesOfTunableInParallel) {
  const SmallProject quick(twice_in_steps, "-O2", UNSANITIZED);
  for (const auto& [project, milliseconds] : {std::pair(&project_, 3000), std::pair(&quick, 0)}) {
    auto words = tune(*project, milliseconds, "3");
    const std::string model = "command:" PRETEND_MODEL " " + (project->folder() / "calls.log").string() + " 0 tune";
    words.insert(words.end(), {"--strategy", "free", "--proposer", model});
    *std::ranges::find(words, "8") = "1";
    ASSERT_EQ(run(project->folder(), words).code, 0);
    if (project != &project_) continue;
    EXPECT_GE(busiest(), 2);
    EXPECT_LE(busiest(), 3);
  }
  EXPECT_EQ(course(project_), course(quick));
  EXPECT_EQ(project_.read(project_.lock()), quick.read(quick.lock()));
}

TEST_F(AtOnce, ResumesKilledRunWithCandidatesInFlight) {
  const SmallProject killed(twice_in_steps, "-O2", UNSANITIZED);
  ASSERT_EQ(run(project_.folder(), tune(project_, 100, "3")).code, 0);
  auto resumed = tune(killed, 100, "3");
  resumed.push_back("--resume");
  for (const std::size_t lines : {2u, 5u}) {
    Program program(killed.folder(), resumed);
    program.run_until([&] { return killed.journal().size() >= lines; });
    program.send(SIGKILL);
    EXPECT_EQ(program.wait().signal, SIGKILL);
  }
  ASSERT_EQ(run(killed.folder(), resumed).code, 0);
  EXPECT_EQ(course(killed), course(project_));
  EXPECT_EQ(killed.read(killed.lock()), project_.read(project_.lock()));
}

TEST_F(AtOnce, KeepsResumedSearchToItsKindOfMachine) {
  ::setenv("PRETEND_MACHINE", "AMD EPYC 1234X", 1);
  Program program(project_.folder(), tune(project_, 10'000, "1"));
  program.run_until([&] { return project_.journal().size() == 1; });  // the original's
  program.send(SIGKILL);
  program.wait();
  ::setenv("PRETEND_MACHINE", "Intel Xeon 4321X", 1);
  auto resumed = tune(project_, 0, "1");
  resumed.push_back("--resume");
  const Ended elsewhere = run(project_.folder(), resumed);
  ::unsetenv("PRETEND_MACHINE");
  EXPECT_EQ(elsewhere.code, 3) << elsewhere.out;
  EXPECT_THAT(
      elsewhere.out + elsewhere.err,
      testing::AllOf(testing::HasSubstr("an Intel Xeon 4321X now, where the original was judged on an AMD EPYC"),
                     testing::HasSubstr("[hone-executor-machine]")));
}

class SideBySide : public AtOnce {
 protected:
  // Two kernels, tuned by a worker that is a script; one candidate of each at once.
  std::string lock_of(const SmallProject& project, const std::string& script, const std::string& side_by_side) const {
    auto words = tune_by(project, script, "10m");
    words.back() = "1";
    *std::ranges::find(words, "12") = "3";
    words.insert(words.end(), {"--side-by-side", side_by_side});
    const Ended ended = run(project.folder(), words);
    EXPECT_EQ(ended.code, 0) << ended.out << ended.err;
    return project.read(project.lock());
  }
  static std::string two_kernels() {
    std::string other = twice_in_steps;
    for (std::size_t at = 0; (at = other.find("twice", at)) != other.npos;) other.replace(at, 5, "again");
    return std::string(twice_in_steps) + other;
  }
};

// Each judgment notes its begin and its end. The first ends when a second has begun, which can only be the other
// kernel's: each has one out at once.
TEST_F(SideBySide, SearchesKernelsAtOnceAndLocksAsInTurn) {
  const SmallProject beside(two_kernels(), "-O2", UNSANITIZED), in_turn(two_kernels(), "-O2", UNSANITIZED);
  const std::string both = lock_of(beside, R"(mkdir first 2>/dev/null || touch second
for i in $(seq 600); do [ -e second ] && break; sleep 0.1; done
[ -e second ] && exec $worker
)",
                                   "2");
  const std::string turns = lock_of(in_turn, R"(mkdir busy 2>/dev/null || touch together
$worker
code=$?
rmdir busy
exit $code
)",
                                    "1");
  EXPECT_FALSE(std::filesystem::exists(in_turn.folder() / "together"));
  EXPECT_EQ(both, turns);
  for (const char* name : {"\"name\": \"again\"", "\"name\": \"twice\""}) EXPECT_THAT(both, testing::HasSubstr(name));
}

}  // namespace
}  // namespace hone
