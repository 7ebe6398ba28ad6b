// Searches and workers that stay, where workers do all that workers can do wrong.
#include "tool/executor/worker_pool.h"

#include <chrono>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/executor/serving.h"
#include "tool/executor/make_executor.h"
#include "tool/executor/slurm_words.h"

namespace hone::executor {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;

// Commands in turn, the last of them from then on.
class Commands final : public WorkerSource {
 public:
  explicit Commands(std::vector<std::vector<std::string>> commands, std::optional<std::chrono::seconds> time = {})
      : commands_(std::move(commands)), time_(time) {}
  std::vector<std::string> command(const std::set<std::string>&) override {
    auto words = commands_[std::min<std::size_t>(given_++, commands_.size() - 1)];
    words.push_back("--serve");
    return words;
  }
  std::string name() const override { return "these commands"; }
  Meaning meaning(const std::string& words) override { return meaning_of_srun(words); }
  std::optional<std::chrono::seconds> time_left(const std::string&) override { return time_; }

 private:
  std::vector<std::vector<std::string>> commands_;
  std::optional<std::chrono::seconds> time_;  // that each has
  std::atomic<std::size_t> given_ = 0;
};

struct WorkerPoolTest : testing::Test {
  Serving serving;
  std::shared_ptr<WorkerPool> pool;
  const std::filesystem::path full = serving.path("full");

  void open(PoolOptions options, std::vector<std::vector<std::string>> commands,
            std::optional<std::chrono::seconds> time = {}) {
    pool = std::make_shared<WorkerPool>(std::make_unique<Commands>(std::move(commands), time), std::move(options));
  }
  // Refuses while there is a folder "full", as an srun whose site has such a limit.
  std::vector<std::string> limited(std::vector<std::string> server) {
    std::vector<std::string> words{"/bin/sh", "-c",
                                   "if [ -d \"$0\" ]; then echo 'srun: error: AssocMaxSubmitJobLimit' >&2; exit 1; fi; "
                                   "exec \"$@\"",
                                   full.string()};
    words.insert(words.end(), server.begin(), server.end());
    return words;
  }
  void open(unsigned most, std::vector<std::vector<std::string>> commands) {
    open(serving.options(most), std::move(commands));
  }
  Result<bundle::Answer> judge(std::uint64_t number, std::stop_token stop = {}) {
    return StayingExecutor(pool).run(numbered(number), stop);
  }
  std::string said(std::uint64_t number) {
    const auto answer = judge(number);
    return answer ? answer->reason : answer.error().message();
  }
};

TEST_F(WorkerPoolTest, JudgesManyBundlesWithOneProcess) {
  open(4, {serving.server("a", 0)});
  for (int number = 1; number <= 5; ++number) EXPECT_EQ(said(number), "wrong by a");
  EXPECT_EQ(serving.logged("start"), 1);
  EXPECT_EQ(serving.logged("bundle"), 5);
  pool.reset();
  EXPECT_EQ(serving.logged("end"), 1) << "the end of its input ends it";
}

TEST_F(WorkerPoolTest, StartsAsManyWorkersAsWaitAndMay) {
  open(2, {serving.server("a", 300)});
  std::vector<std::future<std::string>> said_of;
  for (int number = 1; number <= 5; ++number)
    said_of.push_back(std::async(std::launch::async, [this, number] { return said(number); }));
  for (auto& one : said_of) EXPECT_EQ(one.get(), "wrong by a");
  EXPECT_EQ(serving.logged("start"), 2);
  EXPECT_EQ(serving.logged("bundle"), 5) << "none was judged twice";
}

TEST_F(WorkerPoolTest, LetsIdleWorkerGo) {
  PoolOptions options = serving.options(1);
  options.idle = 0ms;
  open(std::move(options), {serving.server("a", 0)});
  EXPECT_EQ(said(1), "wrong by a");
  EXPECT_TRUE(serving.comes_to(1, "end"));
  EXPECT_EQ(said(2), "wrong by a");
  EXPECT_EQ(serving.logged("start"), 2);
}

TEST_F(WorkerPoolTest, JudgesElsewhereWhatDyingWorkerHad) {
  open(1, {serving.server("a", 0, {"die", "MARKER"})});
  EXPECT_EQ(said(1), "wrong by a");
  EXPECT_EQ(serving.logged("start"), 2);
  EXPECT_THAT(serving.notes(), AllOf(HasSubstr("judged elsewhere"), HasSubstr("ended with code 9")));
}

TEST_F(WorkerPoolTest, ReportsBundleThatLosesItsWorkers) {
  open(1, {serving.server("a", 0, {"die"})});
  EXPECT_THAT(said(1), AllOf(HasSubstr("3 workers were lost over one candidate"), HasSubstr("ended with code 9")));
  EXPECT_EQ(serving.logged("bundle"), 3);
}

TEST_F(WorkerPoolTest, JudgesElsewhereWhatSilentWorkerHas) {
  PoolOptions options = serving.options(1);
  options.patience.silence = 300ms;
  open(std::move(options), {serving.server("a", 0, {"hang", "MARKER"}), serving.server("a", 0)});
  EXPECT_EQ(said(1), "wrong by a");
  EXPECT_THAT(serving.notes(), HasSubstr("said nothing for 1 s"));
}

TEST_F(WorkerPoolTest, JudgesElsewhereAfterGarbage) {
  for (const char* misdeed : {"babble", "mistake", "lie", "refuse"}) {
    const Serving fresh;
    open(1, {fresh.server("a", 0, {misdeed, "MARKER"})});
    EXPECT_EQ(said(1), "wrong by a") << misdeed;
    EXPECT_EQ(fresh.logged("start"), 2) << misdeed << ": who does that gets nothing more";
    EXPECT_EQ(fresh.logged("bundle"), 2) << misdeed;
  }
}

TEST_F(WorkerPoolTest, ReportsGarbageThatGoesOn) {
  const std::pair<const char*, const char*> reports[] = {{"babble", "answered what it was not asked: Segmentation"},
                                                         {"mistake", "answered what it was not asked"},
                                                         {"lie", "the worker's answer makes no sense"},
                                                         {"refuse", "its device is gone"}};
  for (const auto& [misdeed, report] : reports) {
    open(1, {Serving().server("a", 0, {misdeed})});
    EXPECT_THAT(said(1), HasSubstr(report)) << misdeed;
  }
}

TEST_F(WorkerPoolTest, SkipsWordsBeforeHello) {
  open(1, {serving.server("a", 0, {"greet in words"})});
  EXPECT_EQ(said(1), "wrong by a");
}

TEST_F(WorkerPoolTest, ReportsWorkerOfOtherVersion) {
  open(1, {{"/bin/sh", "-c", "echo '{\"devices\":[],\"hone-worker\":2}'; sleep 100"}});
  EXPECT_THAT(said(1), HasSubstr("is of another version of Hone"));
}

TEST_F(WorkerPoolTest, ReportsWorkerThatDoesNotComeWithItsWords) {
  open(2, {serving.server("a", 0, {"stay away"})});
  EXPECT_THAT(said(1), AllOf(HasSubstr("ended with code 7"), HasSubstr("no room for you")));
  EXPECT_EQ(serving.logged("start"), 3) << "a controller may be out for a moment";
}

TEST_F(WorkerPoolTest, GoesOnWithWorkersItHasWhereNoMoreAreGiven) {
  open(3, {serving.server("a", 400), serving.server("a", 0, {"stay away"})});
  EXPECT_EQ(said(1), "wrong by a");
  std::vector<std::future<std::string>> said_of;
  for (int number = 2; number <= 5; ++number)
    said_of.push_back(std::async(std::launch::async, [this, number] { return said(number); }));
  for (auto& one : said_of) EXPECT_EQ(one.get(), "wrong by a");
  EXPECT_EQ(serving.logged("bundle"), 5);
  EXPECT_THAT(serving.notes(), AllOf(HasSubstr("no more workers for now"), HasSubstr("no room for you")));
}

TEST_F(WorkerPoolTest, WaitsWhereSiteAllowsNoMoreJobs) {
  std::filesystem::create_directory(full);
  open(1, {limited(serving.server("a", 0))});
  auto verdict = std::async(std::launch::async, [this] { return said(1); });
  EXPECT_EQ(verdict.wait_for(500ms), std::future_status::timeout) << "a limit is no failure";
  std::filesystem::remove(full);
  EXPECT_EQ(verdict.get(), "wrong by a");
  EXPECT_THAT(serving.notes(), testing::MatchesRegex("waits until the queue takes a worker: [^\n]*no more jobs at once "
                                                     "\\(AssocMaxSubmitJobLimit\\)[^\n]*\n[^\n]*\n?"));
}

TEST_F(WorkerPoolTest, NamesLimitThatIsReachedAtOnce) {
  const std::vector<std::string> one = serving.server("a", 300);
  std::vector<std::string> only_one{"/bin/sh", "-c",
                                    "mkdir \"$0\" || { echo 'srun: error: QOSMaxSubmitJobPerUserLimit' >&2; exit 1; }; "
                                    "exec \"$@\"",
                                    full.string()};
  only_one.insert(only_one.end(), one.begin(), one.end());
  open(3, {only_one});
  std::vector<std::future<std::string>> said_of;
  for (int number = 1; number <= 3; ++number)
    said_of.push_back(std::async(std::launch::async, [this, number] { return said(number); }));
  for (auto& verdict : said_of) EXPECT_EQ(verdict.get(), "wrong by a");
  EXPECT_EQ(serving.logged("start"), 1);
  EXPECT_THAT(serving.notes(),
              testing::MatchesRegex("no more workers for now: [^\n]*QOSMaxSubmitJobPerUserLimit[^\n]*\n"));
}

TEST_F(WorkerPoolTest, AsksAgainForMoreWorkersOnceLimitMayHavePassed) {
  PoolOptions options = serving.options(2);
  options.limited = 100ms;
  open(std::move(options), {limited(serving.server("a", 200))});
  const auto judge_two = [&](int number) {
    auto other = std::async(std::launch::async, [this, number] { return said(number); });
    EXPECT_EQ(said(number + 1), "wrong by a");
    EXPECT_EQ(other.get(), "wrong by a");
  };
  EXPECT_EQ(said(1), "wrong by a");
  std::filesystem::create_directory(full);
  judge_two(2);
  EXPECT_EQ(serving.logged("start"), 1);
  EXPECT_THAT(serving.notes(), AllOf(HasSubstr("no more workers for now"), HasSubstr("AssocMaxSubmitJobLimit")));
  std::filesystem::remove(full);
  std::this_thread::sleep_for(150ms);
  judge_two(4);
  EXPECT_EQ(serving.logged("start"), 2);
}

TEST_F(WorkerPoolTest, BeginsNothingThatEndOfJobWouldCutOff) {
  PoolOptions options = serving.options(1);
  options.spare = std::chrono::hours(1);
  open(std::move(options), {serving.server("a", 0)}, std::chrono::minutes(30));
  for (int number = 1; number <= 3; ++number) EXPECT_EQ(said(number), "wrong by a");
  EXPECT_EQ(serving.logged("start"), 3) << "a job's first one is begun in any case";
  EXPECT_EQ(serving.logged("bundle"), 3) << "none was judged twice";
  EXPECT_THAT(serving.notes(), testing::MatchesRegex("a job has 1800 s and [^\n]* ask for more time with --time\n"));
}

TEST_F(WorkerPoolTest, GoesOnWithWorkerThatHasTime) {
  open(serving.options(1), {serving.server("a", 0)}, std::chrono::minutes(30));
  for (int number = 1; number <= 3; ++number) EXPECT_EQ(said(number), "wrong by a");
  EXPECT_EQ(serving.logged("start"), 1);
}

TEST_F(WorkerPoolTest, DoesNotHoldPreemptionAgainstCandidate) {
  std::vector<std::vector<std::string>> commands(5, serving.server("a", 0, {"be preempted"}));
  commands.push_back(serving.server("a", 0));
  open(serving.options(1), std::move(commands));
  EXPECT_EQ(said(1), "wrong by a");
  EXPECT_EQ(serving.logged("bundle"), 6);
  EXPECT_THAT(serving.notes(),
              HasSubstr("judged elsewhere: these commands: its job was preempted: the worker ended with code 143 "
                        "[hone-executor-failed]\n"));
}

TEST_F(WorkerPoolTest, EndsWithPreemptionsThatGoOn) {
  PoolOptions options = serving.options(1);
  options.most_taken = 4;
  open(std::move(options), {serving.server("a", 0, {"be preempted"})});
  EXPECT_THAT(said(1), AllOf(HasSubstr("4 workers were lost"), HasSubstr("its job was preempted")));
}

TEST_F(WorkerPoolTest, ReportsCandidateThatOutlastsItsJobs) {
  open(1, {serving.server("a", 0, {"time out"})});
  EXPECT_THAT(said(1), AllOf(HasSubstr("3 workers were lost over one candidate"),
                             HasSubstr("the time limit of its job is over"), HasSubstr("--time")));
}

TEST_F(WorkerPoolTest, JudgesElsewhereWhatJobHadAtItsEnd) {
  open(1, {serving.server("a", 0, {"time out later"})});
  for (int number = 1; number <= 6; ++number) EXPECT_EQ(said(number), "wrong by a");
  EXPECT_EQ(serving.logged("start"), 6);
  EXPECT_EQ(serving.logged("bundle"), 6 + 5) << "what has been answered is not asked again";
}

TEST_F(WorkerPoolTest, KeepsSearchToKindOfItsFirstVerdict) {
  PoolOptions options = serving.options(2);
  open(std::move(options), {serving.server("a", 300), serving.server("b", 300)});
  StayingExecutor first(pool), second(pool);
  EXPECT_EQ(first.run(numbered(1), {})->machine, "a");
  second.keep_to("b");
  std::vector<std::future<std::string>> machines;
  for (int number = 2; number <= 7; ++number)
    machines.push_back(std::async(std::launch::async, [&, number] {
      const auto answer = (number % 2 ? first : second).run(numbered(number), {});
      return answer ? answer->machine : answer.error().message();
    }));
  for (std::size_t i = 0; i < machines.size(); ++i) EXPECT_EQ(machines[i].get(), i % 2 ? "a" : "b");
}

TEST_F(WorkerPoolTest, ReportsThatOnlyAnotherKindComes) {
  PoolOptions options = serving.options(1);
  options.most_mismatches = 2;
  open(std::move(options), {serving.server("b", 0)});
  StayingExecutor executor(pool);
  executor.keep_to("a");
  const auto answer = executor.run(numbered(1), {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message(),
              AllOf(HasSubstr("another kind (b)"), HasSubstr("begun on (a)"), HasSubstr("--constraint")));
  EXPECT_EQ(serving.logged("bundle"), 0) << "nothing was judged there";
}

TEST_F(WorkerPoolTest, StopsWaitingOnRequestAndUsesWorkerAgain) {
  open(1, {serving.server("a", 500)});
  std::stop_source source;
  auto stopped = std::async(std::launch::async, [&] { return judge(1, source.get_token()); });
  ASSERT_TRUE(serving.comes_to(1, "bundle"));
  source.request_stop();
  EXPECT_THAT(stopped.get().error().message(), HasSubstr("stopped"));
  EXPECT_EQ(said(2), "wrong by a") << "the first one's answer is nobody's";
  EXPECT_EQ(serving.logged("start"), 1);
}

TEST_F(WorkerPoolTest, TellsOnceOfQueueThatGivesNothing) {
  PoolOptions options = serving.options(1);
  options.told_of_queue = 50ms;
  open(std::move(options), {{"/bin/sh", "-c", "sleep 100"}});
  std::stop_source source;
  auto stopped = std::async(std::launch::async, [&] { return judge(1, source.get_token()); });
  for (int i = 0; i < 1000 && serving.notes().empty(); ++i) std::this_thread::sleep_for(10ms);
  std::this_thread::sleep_for(200ms);
  source.request_stop();
  EXPECT_FALSE(stopped.get());
  EXPECT_THAT(serving.notes(), testing::MatchesRegex("the queue has given nothing for 0 s\n"));
}

TEST(StayingCommand, IsToldByItsLastWord) {
  const Serving serving;
  os::PosixProcessRunner runner;
  std::string words = "command:";
  for (const std::string& word : serving.server("a", 0)) words += "'" + word + "' ";
  const auto source = Source::open(words + "--serve", runner);
  ASSERT_TRUE(source);
  for (int number = 1; number <= 2; ++number) {
    const auto answer = source->make()->run(numbered(number), {});
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(answer->reason, "wrong by a");
  }
  EXPECT_EQ(serving.logged("start"), 1) << "both executors share it";
}

}  // namespace
}  // namespace hone::executor
