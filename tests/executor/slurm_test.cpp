// Workers as jobs of a real Slurm, which the tests start: four nodes on this machine, no root.
#include "tool/executor/slurm.h"

#include <signal.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <future>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/executor/serving.h"
#include "tests/executor/slurm_cluster.h"
#include "tests/worker/judge_bench.h"
#include "tool/bundle/answer.h"
#include "tool/executor/make_executor.h"
#include "tool/os/files/descriptor.h"

namespace hone::executor {
namespace {

using namespace std::chrono_literals;
using testing::AllOf;
using testing::HasSubstr;
using testing::UnorderedElementsAre;

TEST(SlurmRequest, HasPartitionOptionsAndWorker) {
  const auto request =
      read_slurm_request("gpu --gres=gpu:1 --comment='two words' -A \"my account\" -- /opt/hone worker");
  ASSERT_TRUE(request) << request.error().message();
  EXPECT_EQ(request->partition, "gpu");
  EXPECT_THAT(request->options, testing::ElementsAre("--gres=gpu:1", "--comment=two words", "-A", "my account"));
  EXPECT_THAT(request->worker, testing::ElementsAre("/opt/hone", "worker"));
}

TEST(SlurmRequest, IsRefusedInOneSentence) {
  const auto error = [](const std::string& text) {
    const auto request = read_slurm_request(text);
    return request ? "taken" : request.error().message();
  };
  EXPECT_THAT(error(""), AllOf(HasSubstr("no partition is named"), HasSubstr("sinfo")));
  EXPECT_THAT(error("--gres=gpu:1"), HasSubstr("no partition is named"));
  EXPECT_THAT(error("gpu hone-worker"), HasSubstr("'hone-worker' is no option of srun"));
  EXPECT_THAT(error("gpu --comment='two"), HasSubstr("quote"));
  EXPECT_THAT(error("gpu --"), HasSubstr("no worker is named"));
}

TEST(Slurm, IsMissedByName) {
  const std::string path = std::getenv("PATH");
  ::setenv("PATH", "/nowhere", 1);
  ::setenv("HONE_WORKER", "/bin/true", 1);
  os::PosixProcessRunner runner;
  const auto source = Source::open("slurm:gpu", runner);
  ::setenv("PATH", path.c_str(), 1);
  ::unsetenv("HONE_WORKER");
  ASSERT_FALSE(source);
  EXPECT_THAT(source.error().message(), AllOf(HasSubstr("'srun' is not on PATH"), HasSubstr("slurm-client")));
}

// The names that files are given in a folder by renaming, each as often as that happens.
class ArrivingFiles {
 public:
  explicit ArrivingFiles(const std::filesystem::path& folder) : events_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(::inotify_add_watch(events_.get(), folder.c_str(), IN_MOVED_TO), 0);
  }
  std::vector<std::string> names() const {
    std::vector<std::string> names;
    alignas(inotify_event) char bytes[1 << 14];
    for (ssize_t size; (size = ::read(events_.get(), bytes, sizeof bytes)) > 0;)
      for (const char* at = bytes; at < bytes + size;) {
        const auto* event = reinterpret_cast<const inotify_event*>(at);
        names.emplace_back(event->name);
        at += sizeof *event + event->len;
      }
    return names;
  }

 private:
  os::Descriptor events_;
};

// One cluster for all tests.
class SlurmTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (SlurmCluster::missing().empty()) cluster = std::make_unique<SlurmCluster>(4);
  }
  static void TearDownTestSuite() { cluster.reset(); }
  void SetUp() override {
    if (!cluster) GTEST_SKIP() << SlurmCluster::missing();
  }

  void open(PoolOptions options, std::vector<std::string> worker, std::vector<std::string> srun = {},
            const std::string& partition = "slow") {
    auto source = SlurmSource::open({partition, std::move(srun), std::move(worker)}, "", runner);
    ASSERT_TRUE(source) << source.error().message();
    pool = std::make_shared<WorkerPool>(std::move(*source), std::move(options));
  }
  std::string said(std::uint64_t number, std::stop_token stop = {}) {
    const auto answer = StayingExecutor(pool).run(numbered(number), stop);
    return answer ? answer->reason : answer.error().message();
  }
  std::future<std::string> begin(std::uint64_t number, std::stop_token stop = {}) {
    return std::async(std::launch::async, [this, number, stop] { return said(number, stop); });
  }
  // Of the only job there is.
  static std::string job() {
    const std::string line = cluster->jobs();
    return line.substr(0, line.find(' '));
  }

  static std::unique_ptr<SlurmCluster> cluster;
  os::PosixProcessRunner runner;
  Serving serving;
  std::shared_ptr<WorkerPool> pool;
};
std::unique_ptr<SlurmCluster> SlurmTest::cluster;

TEST_F(SlurmTest, JudgesOnAllNodesAndLeavesNoJob) {
  open(serving.options(4), serving.server("node", 500));
  std::vector<std::future<std::string>> verdicts;
  for (int number = 1; number <= 4; ++number) verdicts.push_back(begin(number));
  std::vector<std::string> said_of;
  for (auto& verdict : verdicts) said_of.push_back(verdict.get());
  EXPECT_THAT(said_of, UnorderedElementsAre("wrong by node1", "wrong by node2", "wrong by node3", "wrong by node4"));
  EXPECT_THAT(said(5), HasSubstr("wrong by node"));
  EXPECT_EQ(serving.logged("start"), 4);
  pool.reset();
  EXPECT_TRUE(cluster->comes_to_have_no_jobs()) << cluster->jobs();
  EXPECT_EQ(serving.notes(), "");
}

TEST_F(SlurmTest, JudgesElsewhereWhatCanceledJobHad) {
  open(serving.options(1), serving.server("a", 0, {"hang", "MARKER"}));
  auto verdict = begin(1);
  ASSERT_TRUE(serving.comes_to(1, "bundle"));
  cluster->ask({"scancel", job()});
  EXPECT_EQ(verdict.get(), "wrong by a");
  EXPECT_EQ(serving.logged("bundle"), 2);
  EXPECT_THAT(serving.notes(), HasSubstr("judged elsewhere"));
}

TEST_F(SlurmTest, JudgesElsewhereWhatPreemptedJobHad) {
  open(serving.options(1), serving.server("a", 0, {"hang", "MARKER"}), {"--nodelist=node2"});
  auto verdict = begin(1);
  ASSERT_TRUE(serving.comes_to(1, "bundle"));
  cluster->ask({"srun", "--partition=quick", "--nodelist=node2", "true"});
  EXPECT_EQ(verdict.get(), "wrong by a");
  EXPECT_THAT(serving.notes(), HasSubstr("its job was preempted"));
}

// Slurm queues batch jobs alone once more. An srun's is canceled, and Hone asks for another.
TEST_F(SlurmTest, JudgesElsewhereWhatJobOfRequeueingPartitionHad) {
  open(serving.options(1), serving.server("a", 0, {"hang", "MARKER"}), {"--nodelist=node3"}, "again");
  auto verdict = begin(1);
  ASSERT_TRUE(serving.comes_to(1, "bundle"));
  cluster->ask({"srun", "--partition=quick", "--nodelist=node3", "true"});
  EXPECT_EQ(verdict.get(), "wrong by a");
  EXPECT_THAT(serving.notes(), HasSubstr("its job was preempted"));
}

// The controller looks every half a minute.
TEST_F(SlurmTest, JudgesElsewhereWhatJobHadWhoseTimeIsOver) {
  open(serving.options(1), serving.server("a", 0, {"hang", "MARKER"}), {"--time=5"});
  auto verdict = begin(1);
  ASSERT_TRUE(serving.comes_to(1, "bundle"));
  cluster->ask({"scontrol", "update", "jobid=" + job(), "TimeLimit=0"});
  EXPECT_EQ(verdict.get(), "wrong by a");
  EXPECT_EQ(serving.logged("bundle"), 2);
  EXPECT_THAT(serving.notes(), AllOf(HasSubstr("the time limit of its job is over"), HasSubstr("--time")));
}

TEST_F(SlurmTest, KnowsTimeThatItsJobsHave) {
  auto source = SlurmSource::open({"brief", {}, {"true"}}, "", runner);
  ASSERT_TRUE(source);
  cluster->ask({"sbatch", "--partition=brief", "--output=/dev/null", "--wrap=sleep 600"});
  for (int i = 0; i < 500 && cluster->jobs().find("RUNNING") == std::string::npos; ++i)
    std::this_thread::sleep_for(10ms);
  const auto left = (*source)->time_left(job());
  cluster->ask({"scancel", "--partition=brief"});
  ASSERT_TRUE(left);
  EXPECT_THAT(*left, AllOf(testing::Gt(500s), testing::Le(600s))) << "the partition's limit";
  EXPECT_EQ((*source)->time_left("no job"), std::nullopt);
}

// A site that limits jobs counts each task of an array, but one job of several tasks as one.
TEST_F(SlurmTest, JudgesInStepsOfOneJob) {
  cluster->ask({"salloc", "--no-shell", "--partition=slow", "--ntasks=4", "--job-name=one"});
  const std::string one = job();
  std::string words = "command:srun --jobid=" + one + " --exact --ntasks=1 --mpi=none";
  for (const std::string& word : serving.server("node", 500)) words += " '" + word + "'";
  {
    const auto source = Source::open(words + " --serve", runner, {.most_workers = 4});
    ASSERT_TRUE(source) << source.error().message();
    std::vector<std::future<std::string>> verdicts;
    for (int number = 1; number <= 4; ++number)
      verdicts.push_back(std::async(std::launch::async, [&, number] {
        const auto answer = source->make()->run(numbered(number), {});
        return answer ? answer->reason : answer.error().message();
      }));
    std::vector<std::string> said_of;
    for (auto& verdict : verdicts) said_of.push_back(verdict.get());
    EXPECT_THAT(said_of, UnorderedElementsAre("wrong by node1", "wrong by node2", "wrong by node3", "wrong by node4"));
  }
  EXPECT_EQ(job(), one) << "the job is its owner's";
  cluster->ask({"scancel", one});
  EXPECT_TRUE(cluster->comes_to_have_no_jobs()) << cluster->jobs();
}

TEST_F(SlurmTest, TellsWhatNodesOfferWhereNoneFits) {
  open(serving.options(1), serving.server("a", 0), {"--constraint=genoa"});
  EXPECT_THAT(said(1), AllOf(HasSubstr("no node has the feature that --constraint asks for"),
                             HasSubstr("partition slow have these features: fast"), HasSubstr("devices: gpu:fake:1")));
  open(serving.options(1), serving.server("a", 0), {"--gres=gpu:h100:1"});
  EXPECT_THAT(said(1), AllOf(HasSubstr("no node of the partition has what is asked for"), HasSubstr("gpu:fake:1")));
}

TEST_F(SlurmTest, TellsThatPartitionGivesNotSoMuchTime) {
  PoolOptions options = serving.options(1);
  options.told_of_queue = 100ms;
  open(std::move(options), serving.server("a", 0), {"--time=20"}, "brief");
  std::stop_source source;
  auto verdict = begin(1, source.get_token());
  for (int i = 0; i < 1000 && serving.notes().empty(); ++i) std::this_thread::sleep_for(10ms);
  source.request_stop();
  EXPECT_THAT(verdict.get(), HasSubstr("stopped"));
  EXPECT_THAT(serving.notes(), testing::ContainsRegex("is pending \\((PartitionTimeLimit|PartitionConfig): .*--time"));
}

TEST_F(SlurmTest, TellsWhyQueueGivesNothingAndStopsAtOnce) {
  cluster->ask({"sbatch", "--partition=quick", "--array=1-4", "--output=/dev/null", "--wrap=sleep 600"});
  PoolOptions options = serving.options(1);
  options.told_of_queue = 100ms;
  open(std::move(options), serving.server("a", 0));
  std::stop_source source;
  auto verdict = begin(1, source.get_token());
  for (int i = 0; i < 1000 && serving.notes().empty(); ++i) std::this_thread::sleep_for(10ms);
  EXPECT_THAT(serving.notes(),
              testing::ContainsRegex("given nothing for .* s: job [0-9]+ is pending \\((Resources|Priority)\\)"));
  source.request_stop();
  EXPECT_THAT(verdict.get(), HasSubstr("stopped"));
  pool.reset();
  cluster->ask({"scancel", "--partition=quick"});
  EXPECT_TRUE(cluster->comes_to_have_no_jobs()) << cluster->jobs();
  EXPECT_EQ(serving.logged("start"), 0);
}

TEST_F(SlurmTest, ReportsWhatSrunSaysOfWrongRequest) {
  open(serving.options(2), serving.server("a", 0), {}, "nowhere");
  EXPECT_THAT(said(1), AllOf(HasSubstr("slurm:nowhere"), HasSubstr("invalid partition specified: nowhere")));
  open(serving.options(2), serving.server("a", 0), {"--no-such-option"});
  EXPECT_THAT(said(1), HasSubstr("unrecognized option '--no-such-option'"));
  open(serving.options(2), {"/no/such/worker"});
  EXPECT_THAT(said(1), HasSubstr("/no/such/worker: No such file or directory"));
}

TEST_F(SlurmTest, AsksForDevicesWithItsOptions) {
  open(serving.options(1), serving.server("node", 0), {"--gres=gpu:1"});
  EXPECT_EQ(said(1), "wrong by node1") << "the one with a device";
  EXPECT_THAT(serving.log().front(), testing::EndsWith(" 0")) << "CUDA_VISIBLE_DEVICES";
}

TEST_F(SlurmTest, KeepsSearchToNodesOfItsKind) {
  open(serving.options(1), serving.server("node", 0));
  StayingExecutor executor(pool);
  executor.keep_to("node2");
  for (int number = 1; number <= 3; ++number) {
    const auto answer = executor.run(numbered(number), {});
    ASSERT_TRUE(answer) << answer.error().message();
    EXPECT_EQ(answer->machine, "node2");
  }
  EXPECT_EQ(serving.logged("bundle"), 3);
}

TEST_F(SlurmTest, CancelsJobsOfKilledProcess) {
  const pid_t child = fork();
  if (child == 0) {  // the only thread of its process
    open(serving.options(1), serving.server("a", 0, {"hang"}));
    said(1);
    _exit(0);
  }
  ASSERT_TRUE(serving.comes_to(1, "bundle"));
  EXPECT_NE(cluster->jobs(), "");
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  EXPECT_TRUE(cluster->comes_to_have_no_jobs()) << cluster->jobs();
}

// The tasks of an array share a folder of bundles, and no two judge the same.
TEST_F(SlurmTest, JudgesEachBundleOfAFolderOnceInAnArray) {
  const bundle::Bundle right = test::scaling_bundle("2"), wrong = test::scaling_bundle("3");
  const std::filesystem::path folder = serving.path("bundles");
  std::filesystem::create_directory(folder);
  for (int number = 1; number <= 6; ++number)
    ASSERT_TRUE(os::write_file_atomically(folder / fmt::format("{}.bundle", number),
                                          serialize(number % 2 == 1 ? right : wrong)));
  const ArrivingFiles verdicts(folder);
  cluster->ask({"sbatch", "--partition=slow", "--array=1-3", "--output=/dev/null",
                fmt::format("--wrap={} --batch {}", HONE_WORKER, folder.string())});
  EXPECT_TRUE(cluster->comes_to_have_no_jobs(120s)) << cluster->jobs();
  EXPECT_THAT(verdicts.names(),
              UnorderedElementsAre("1.verdict", "2.verdict", "3.verdict", "4.verdict", "5.verdict", "6.verdict"));
  for (int number = 1; number <= 6; ++number) {
    const bundle::Bundle& asked = number % 2 == 1 ? right : wrong;
    const auto answer = bundle::read_answer(os::read_file(folder / fmt::format("{}.verdict", number)).value_or(""),
                                            asked, serialize(asked), 120);
    ASSERT_TRUE(answer) << number << answer.error().message();
    EXPECT_EQ(answer->right, number % 2 == 1) << answer->reason;
  }
}

TEST_F(SlurmTest, JudgesByTheRealWorkerThatStays) {
  open(serving.options(1), {HONE_WORKER});
  StayingExecutor executor(pool);
  const auto right = executor.run(test::scaling_bundle("2"), {}), wrong = executor.run(test::scaling_bundle("3"), {});
  ASSERT_TRUE(right && wrong) << (right ? wrong : right).error().message();
  EXPECT_TRUE(right->right) << right->reason;
  EXPECT_THAT(wrong->reason, HasSubstr("expected"));
  EXPECT_EQ(serving.notes(), "");
}

// Last: the node does not come back. Slurm itself notices after minutes.
TEST_F(SlurmTest, ZJudgesElsewhereWhatLostNodeHad) {
  PoolOptions options = serving.options(1);
  options.patience.silence = 1s;
  open(std::move(options), serving.server("node", 3000));
  auto verdict = begin(1);
  ASSERT_TRUE(serving.comes_to(1, "bundle"));
  const std::string first = serving.log().back();
  const std::string node = first.substr(first.rfind(' ') + 1);
  cluster->lose(node);
  EXPECT_THAT(verdict.get(), AllOf(HasSubstr("wrong by node"), testing::Ne("wrong by " + node)));
  EXPECT_THAT(serving.notes(), HasSubstr("judged elsewhere"));
}

}  // namespace
}  // namespace hone::executor
