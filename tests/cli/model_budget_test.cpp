// What a model's search may spend: tokens, money, wall time and trials, also while calls are in flight, hang or are
// killed.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <signal.h>

#include "provider.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

struct Budget : ProviderRun {
  // Processes whose command line names this bench's log: pretend models that are still at work.
  std::size_t models_at_work() const {
    std::size_t count = 0;
    std::error_code error;
    for (const auto& process : fs::directory_iterator("/proc")) {
      std::ifstream file(process.path() / "cmdline");
      const std::string line{std::istreambuf_iterator<char>(file), {}};
      count += line.starts_with(PRETEND_MODEL) && line.find(bench.log().string()) != std::string::npos;
    }
    return count;
  }
  std::vector<json> failures() const {
    std::vector<json> failures;
    for (const json& line : bench.recording())
      if (line.contains("failure")) failures.push_back(line);
    return failures;
  }
};

TEST_F(Budget, LimitsTokensAndMoney) {
  bench.project().write("hone.json", R"({ "max_tokens": 2000, "price": { "input": 10, "output": 100 } })");
  {
    const Provider provider;
    const Ended ended = run(bench.folder(), asking(provider, {"--max-tokens", "9000", "--trials", "40"}));
    const json spent = kernel_of(ended)["spent"];
    const std::size_t handed_out = provider.calls() * (Provider::tokens_in + Provider::tokens_out);
    EXPECT_EQ(spent["tokens"], handed_out) << ended.err;
    EXPECT_LE(handed_out, 9000u);
    EXPECT_GE(provider.calls(), 2u) << "what the first calls left is used";
    EXPECT_THAT(ended.err, HasSubstr("no further call fits into the budget for tokens or money"));
    EXPECT_THAT(ended.err, HasSubstr("spent: " + std::to_string(provider.calls()) + " calls"));
  }
  const Provider provider;
  const Ended ended = run(bench.folder(), asking(provider, {"--max-cost", "0.5", "--trials", "40", "--force"}));
  const double cost = provider.calls() * (Provider::tokens_in * 10.0 + Provider::tokens_out * 100.0) / 1e6;
  EXPECT_NEAR(kernel_of(ended)["spent"]["cost"].get<double>(), cost, 1e-9) << ended.err;
  EXPECT_LE(cost, 0.5);
  EXPECT_GE(provider.calls(), 2u);
}

TEST_F(Budget, MakesNoCallThatDoesNotFit) {
  const Provider provider;
  const Ended ended = run(bench.folder(), asking(provider, {"--max-tokens", "10"}));
  EXPECT_EQ(provider.calls(), 0u);
  EXPECT_EQ(ended.code, 1) << ended.err;
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 0);
}

TEST_F(Budget, LimitsTrialsWithoutCountingFailedCalls) {
  const auto good = Provider::good();
  const Provider provider({good, llm::answer(413, "{}"), llm::answer(413, "{}"), good});
  bench.project().write("hone.json", R"({ "concurrency": 1 })");
  const Ended ended = run(bench.folder(), asking(provider, {"--trials", "4"}));
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 4) << ended.err;
  EXPECT_EQ(provider.calls(), 6u);
}

TEST_F(Budget, CoversCallsInFlight) {
  bench.project().write("hone.json", R"({ "max_tokens": 2000 })");
  std::atomic<int> now = 0, most = 0;
  const auto whole = Provider::good(std::chrono::milliseconds(300), 1, 2000);  // as long as a reply may be
  const Provider provider({[&](llm::LoopbackServer::Talk& talk) {
    most = std::max(most.load(), ++now);
    whole(talk);
    --now;
  }});
  const Ended ended = run(bench.folder(), asking(provider, {"--max-tokens", "20000", "--trials", "40"}));
  EXPECT_LE(provider.calls() * (Provider::tokens_in + 2000), 20000u) << ended.err;
  EXPECT_GE(most, 2) << "else nothing was in flight beside another";
  EXPECT_GE(provider.calls(), 4u);
}

TEST_F(Budget, CoversCallsLostInKill) {
  bench.project().write("hone.json", R"({ "max_tokens": 2000, "concurrency": 2 })");
  const Provider provider({Provider::good(std::chrono::milliseconds(300), 1, 2000)});
  const auto words = asking(provider, {"--max-tokens", "24000", "--trials", "40", "--resume", "--force"});
  for (int kill = 0; kill < 4; ++kill) {
    Program program(bench.folder(), words);
    const std::size_t before = provider.calls();
    if (program.run_until([&] { return provider.calls() >= before + 2; })) program.send(SIGKILL);
    program.wait();
  }
  const Ended ended = run(bench.folder(), words);
  EXPECT_LE(provider.calls() * (Provider::tokens_in + 2000), 24000u) << ended.err;
  EXPECT_GE(kernel_of(ended)["spent"]["tokens"], provider.calls() * (Provider::tokens_in + 2000))
      << "a lost call counts as if it had cost all it could";
}

TEST_F(Budget, StopsUnansweredCallsWhenTimeIsUp) {
  const Ended ended = run(bench.folder(), bench.tune("3600000 good", {"--strategy", "free", "--budget", "8s"}));
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 0) << ended.err;
  EXPECT_EQ(models_at_work(), 0u);
  if (bench.calls().empty()) GTEST_SKIP() << "no call was begun in 8 s on this machine";
  std::size_t stopped = 0;
  for (const json& failure : failures()) {
    EXPECT_EQ(failure["again"], true) << "a resumed run makes it anew";
    stopped += failure["usage"]["output"] > 0;
  }
  EXPECT_GE(stopped, 1u) << "what was under way may have cost something";
}

TEST_F(Budget, EndsRunWithoutWaitingForHungCall) {
  // A strategy without generations: one that has them would give the call up before the next.
  bench.project().write("hone.json", R"({ "timeout": 12 })");
  const Ended ended = run(bench.folder(), bench.tune("5 hang", {"--strategy", "funsearch", "--trials", "10"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 10);
  EXPECT_THAT(ended.err, Not(HasSubstr("gave no reply"))) << "nobody waited for its time to be over";
  EXPECT_GE(failures().size(), 1u) << "others that were late are stopped, too";
  for (const json& failure : failures()) EXPECT_EQ(failure["again"], true);
  EXPECT_EQ(models_at_work(), 0u);

  // Its trials are all there: a resumed run asks nobody.
  const std::size_t calls = bench.calls().size();
  const Ended resumed =
      run(bench.folder(), bench.tune("5 good", {"--strategy", "funsearch", "--trials", "10", "--resume", "--force"}));
  EXPECT_EQ(kernel_of(resumed)["trials"]["total"], 10) << resumed.err;
  EXPECT_EQ(bench.calls().size(), calls);
}

TEST_F(Budget, GivesUpCallThatAloneBlocksSearch) {
  // One chain of judge and coder: nothing else can be asked while one of them is.
  bench.project().write("one.json", R"({ "name": "one", "proposer": "model", "population": "chain", "islands": 1,
    "rounds": 9, "start": { "name": "init", "ingredients": [ "task" ] },
    "operators": [ { "name": "coder", "ingredients": [ "task" ],
                     "advised_by": { "name": "judge", "ingredients": [ "task" ] } } ] })");
  bench.project().write("hone.json", R"({ "timeout": 10 })");
  const Ended ended = run(bench.folder(), bench.tune("5 hang3", {"--strategy", "one.json", "--trials", "4"}));
  EXPECT_THAT(ended.err, HasSubstr("a call was given up"));
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 4) << ended.err;
  ASSERT_EQ(failures().size(), 1u);
  EXPECT_EQ(failures()[0]["again"], false) << "it was told as failed";
}

TEST_F(Budget, GivesUpCallThatAGenerationWaitsFor) {
  bench.project().write("hone.json", R"({ "timeout": 12 })");
  const Ended ended = run(bench.folder(), bench.tune("5 hang", {"--strategy", "free", "--trials", "6"}));
  EXPECT_THAT(ended.err, HasSubstr("a call was given up"));
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 6) << ended.err;
}

TEST_F(Budget, ChargesTimedOutCallInFullButNoTrial) {
  bench.project().write("hone.json", R"({ "timeout": 1, "concurrency": 1, "max_tokens": 3000 })");
  const Ended ended = run(bench.folder(), bench.tune("5 hang", {"--strategy", "free", "--trials", "4"}));
  EXPECT_THAT(ended.err, HasSubstr("gave no reply within 1 s"));
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 4) << ended.err;
  ASSERT_EQ(failures().size(), 1u);
  EXPECT_EQ(failures()[0]["usage"]["output"], 3000);
  EXPECT_EQ(failures()[0]["again"], false);
}

}  // namespace
}  // namespace hone
