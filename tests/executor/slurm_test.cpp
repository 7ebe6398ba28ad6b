// Workers as jobs of a real Slurm, which the tests start: two nodes on this machine, no root.
#include "tool/executor/slurm.h"

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <future>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/executor/serving.h"
#include "tests/executor/slurm_cluster.h"
#include "tool/executor/make_executor.h"

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

// One cluster for all tests.
class SlurmTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (SlurmCluster::missing().empty()) cluster = std::make_unique<SlurmCluster>();
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

TEST_F(SlurmTest, JudgesOnBothNodesAndLeavesNoJob) {
  open(serving.options(2), serving.server("node", 500));
  auto first = begin(1), second = begin(2);
  EXPECT_THAT((std::vector{first.get(), second.get()}), UnorderedElementsAre("wrong by node1", "wrong by node2"));
  EXPECT_THAT(said(3), HasSubstr("wrong by node"));
  EXPECT_EQ(serving.logged("start"), 2);
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
  EXPECT_THAT(serving.notes(), HasSubstr("judged elsewhere"));
}

TEST_F(SlurmTest, TellsWhyQueueGivesNothingAndStopsAtOnce) {
  cluster->ask({"sbatch", "--partition=quick", "--array=1-2", "--output=/dev/null", "--wrap=sleep 600"});
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
  EXPECT_EQ(verdict.get(), node == "node1" ? "wrong by node2" : "wrong by node1");
  EXPECT_THAT(serving.notes(), HasSubstr("judged elsewhere"));
}

}  // namespace
}  // namespace hone::executor
