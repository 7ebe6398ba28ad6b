// A model's search by the real program: what stops it, what it refuses, and what it keeps to itself.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include "provider.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

constexpr const char* key = provider_key;

std::string content(const fs::path& path) {
  std::ostringstream text;  // whose error state takes what an iterator would throw: a process may end while it is read
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

struct ModelRun : ProviderRun {};

// ---- providers

// What the model never hears of: its text with the original in front for small sizes.
TEST(ModelChoice, StandsInFrontOfWhatIsSlowerOnOneProblem) {
  const ModelBench bench;
  std::string source = bench.project().read(bench.folder() / "kernel.cpp");
  source.replace(source.find("problem(n=20000)"), 16, "problem(n=20000) problem(n=40)");
  bench.project().write("kernel.cpp", source);
  ::setenv("PRETEND_MIXED", "20000", 1);
  const Ended ended = run(bench.folder(), bench.tune("5 good", {"--strategy", "free", "--trials", "1"}));
  ::unsetenv("PRETEND_MIXED");
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("with by_size(1): faster"));
  EXPECT_THAT(bench.variant_source(), HasSubstr("if (n < 20000) {"));
}

TEST_F(ModelRun, EndsAtOnceIfKeyIsRejected) {
  const Provider provider({llm::answer(401, R"({"error":{"message":"no such key"}})")});
  const Ended ended = run(bench.folder(), asking(provider, {}));
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("answered 401: no such key"));
  EXPECT_EQ(kernel_of(ended)["outcome"], "failed");
  EXPECT_LE(provider.calls(), 8u) << "those that were in flight";
}

TEST_F(ModelRun, EndsAtOnceIfEndpointIsUnreachable) {
  const Ended ended =
      run(bench.folder(), {"tune", "--proposer", "openai", "--endpoint", "http://127.0.0.1:9/v1", "--model", "m",
                           "--strategy", "free", "--executor", "command:" PRETEND_WORKER});
  EXPECT_EQ(ended.code, 3);
  EXPECT_THAT(ended.err, HasSubstr("cannot reach http://127.0.0.1:9"));
}

TEST_F(ModelRun, AsksStrictServerAsItWantsToBeAsked) {
  const auto strict = llm::answer(400, R"({"error":{"message":"Extra inputs are not permitted: seed"}})");
  const Provider provider({strict, Provider::good()});
  bench.project().write("hone.json", R"({ "concurrency": 1 })");
  const Ended ended = run(bench.folder(), asking(provider, {"--trials", "2"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("takes no \"seed\": it is left out from now on"));
  EXPECT_EQ(provider.calls(), 3u);
}

TEST_F(ModelRun, ReadsUsersOwnSettings) {
  const Provider provider;
  const fs::path home = bench.folder() / "config";
  fs::create_directories(home / "hone");
  const std::vector<std::string> of = provider.options();
  std::ofstream(home / "hone" / "hone.json")
      << json{{"proposer", "openai"}, {"endpoint", of[3]}, {"model", "m"}, {"concurrency", 1}};
  bench.project().write("hone.json",
                        R"({ "proposer": "openai", "endpoint": "https://stranger.example", "model": "x" })");
  const Ended ended = run(bench.folder(), {"tune", "-p", "build", "--executor", "command:" PRETEND_WORKER, "--strategy",
                                           "free", "--trials", "2", "--json", "-"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(provider.calls(), 2u);
}

TEST_F(ModelRun, CountsWhatCameToNothing) {
  const auto empty = llm::answer(200, R"({"model":"m","choices":[{"message":{"content":"I am sorry."}}]})");
  const auto good = Provider::good();
  const Provider provider({good, empty, empty, good});
  bench.project().write("hone.json", R"({ "concurrency": 1 })");
  const Ended ended = run(bench.folder(), asking(provider, {"--trials", "3"}));
  EXPECT_THAT(ended.err, HasSubstr("came to nothing: 1 reply without code (there is no code in the reply"));
  EXPECT_EQ(kernel_of(ended)["trials"]["without_code"], 1) << ended.err;
  EXPECT_EQ(kernel_of(ended)["trials"]["duplicates"], 1);
}

// The strategy `auto` begins with the built-in proposer, and what that found is not lost.
TEST_F(ModelRun, LocksBuiltinFindingIfNobodyCanBeAsked) {
  ::unsetenv("HONE_API_KEY");
  bench.project().write("hone.json", R"({ "proposer": "openai", "model": "m", "key_env": "NOT_SET_KEY" })");
  const Ended ended = run(bench.folder(), {"tune", "-p", "build", "--executor", "command:" PRETEND_WORKER, "--json",
                                           "-", "--proposer", "openai", "--trials", "4", "--trust-project"});
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(kernel_of(ended)["accepted"], true) << ended.err;
  EXPECT_THAT(kernel_of(ended)["message"].get<std::string>(), HasSubstr("NOT_SET_KEY: the key is not set"));
}

TEST_F(ModelRun, RefusesCapOnCostWithoutPrices) {
  const Provider provider;
  const Ended ended = run(bench.folder(), asking(provider, {"--max-cost", "1"}));
  EXPECT_EQ(ended.code, 2) << ended.err;
  EXPECT_THAT(ended.err, HasSubstr("--max-cost 1 caps nothing: no price is known of the model m"));
  EXPECT_EQ(provider.calls(), 0u);
}

TEST_F(ModelRun, LocksFindingWhenProviderFails) {
  std::vector<llm::LoopbackServer::Answer> answers(12, Provider::good());
  answers.push_back(llm::answer(403, "{}"));
  const Provider provider(answers);
  bench.project().write("hone.json", R"({ "concurrency": 2 })");
  const Ended ended = run(bench.folder(), asking(provider, {"--trials", "100"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  EXPECT_EQ(kernel_of(ended)["accepted"], true);
  EXPECT_THAT(kernel_of(ended)["message"].get<std::string>(), HasSubstr("answered 403"));
  EXPECT_NE(bench.variant(), "");

  // It goes on when somebody answers again, and what was answered is not asked again.
  const Provider again({Provider::good({}, 100)});
  const Ended resumed = run(bench.folder(), asking(again, {"--trials", "14", "--resume", "--force"}));
  EXPECT_EQ(kernel_of(resumed)["trials"]["total"], 14) << resumed.err;
  EXPECT_LE(again.calls(), 5u);
}

TEST_F(ModelRun, PassesHungCallAndStopsItWithRun) {
  bench.project().write("hone.json", R"({ "timeout": 3600, "concurrency": 4 })");
  Program program(bench.folder(), bench.tune("5 hang", {"--strategy", "free", "--trials", "30"}));
  const auto told = [&] {
    std::size_t count = 0;
    for (const json& line : bench.recording()) count += line.contains("told");
    return count;
  };
  // More than the six that may be open at once, so that the first in order must have been passed by.
  ASSERT_TRUE(program.run_until([&] { return told() >= 8; })) << program.wait().err;
  const auto start = std::chrono::steady_clock::now();
  program.send(SIGINT);
  const Ended ended = program.wait();
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  RecordProperty("seconds_to_stop", std::to_string(seconds));
  EXPECT_EQ(ended.code, 130) << ended.err;
  EXPECT_LT(seconds, 60) << "the call would have taken an hour";
}

TEST_F(ModelRun, FailsRepliesWithoutCodeAndJudgesDuplicatesOnce) {
  const Ended prose = run(bench.folder(), bench.tune("5 prose", {"--strategy", "full", "--trials", "60"}));
  EXPECT_EQ(prose.code, 1) << prose.err;
  EXPECT_EQ(kernel_of(prose)["trials"]["total"], 3) << "there are three of them; the others are the same again";
  bool fed_back = false;
  for (const json& line : bench.recording())
    if (line.contains("ask")) fed_back = fed_back || line["prompt"].dump().find("code block") != std::string::npos;
  EXPECT_TRUE(fed_back);

  const ModelBench other;
  const Ended same = run(other.folder(), other.tune("5 same", {"--strategy", "free", "--trials", "60"}));
  EXPECT_EQ(kernel_of(same)["trials"]["total"], 1) << same.err;
  EXPECT_LE(other.calls().size(), 40u) << "patience ends it";
}

// ---- enough is found

TEST_F(ModelRun, EndsWhereAFurtherCandidateIsExpectedToGainLittle) {
  const Ended ended =
      run(bench.folder(), bench.tune("5 good", {"--strategy", "free", "--trials", "40", "--least-gain", "0.9"}));
  EXPECT_EQ(ended.code, 0) << ended.err;
  const json kernel = kernel_of(ended);
  EXPECT_LT(kernel["trials"]["total"], 40);
  EXPECT_EQ(kernel["message"], "a further trial was expected to gain less than 90%");
  const std::size_t calls = bench.calls().size();
  run(bench.folder(),
      bench.tune("5 good", {"--strategy", "free", "--trials", "40", "--least-gain", "0.9", "--resume", "--force"}));
  EXPECT_EQ(bench.calls().size(), calls) << "a resumed run has as much";
}

TEST_F(ModelRun, SaysThatTheLimitIsNotKnownWithAnotherExecutor) {
  const Ended ended =
      run(bench.folder(), bench.tune("5 good", {"--strategy", "free", "--trials", "2", "--until", "0.01"}));
  EXPECT_THAT(ended.err, HasSubstr("--until does not end its search"));
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 2);
}

// ---- constants to tune

TEST_F(ModelRun, StoresChosenConstantsAsPlainSource) {
  const Ended ended = run(bench.folder(), bench.tune("5 tune", {"--strategy", "free", "--trials", "3"}));
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string source = bench.variant_source();
  // A constant that stands for one number is written as that. Which one is the fastest is for the pretended worker to
  // say.
  EXPECT_THAT(source, testing::AnyOf(HasSubstr("k < 8;"), HasSubstr("k < 7;"), HasSubstr("k < 6;")));
  EXPECT_THAT(source, Not(HasSubstr("HONE_TUNABLE")));
  EXPECT_THAT(source, Not(HasSubstr("hone.h")));
  std::set<std::string> chosen;
  for (const json& line : bench.recording())
    if (line.contains("choice")) chosen.insert(line["choice"].dump());
  EXPECT_FALSE(chosen.empty());
  EXPECT_EQ(run(bench.folder(), {"verify", "--executor", "command:" PRETEND_WORKER}).code, 0);
}

TEST_F(ModelRun, RejectsConstantThatSmugglesCode) {
  const Ended ended = run(bench.folder(), bench.tune("5 smuggle", {"--strategy", "free", "--trials", "6"}));
  EXPECT_THAT(bench.variant_source(), Not(HasSubstr("printf"))) << ended.err;
  for (const json& line : bench.recording()) {
    if (!line.contains("fingerprint") || line.contains("duplicate_of")) continue;
    EXPECT_EQ(line["choice"], json({0})) << line;
    EXPECT_THAT(line["name"].get<std::string>(), HasSubstr("STEPS=8")) << line;
  }
}

// ---- what gains nothing

// Judged and timed for real: what goes must be as right and as fast without.
TEST(ModelReduction, LeavesTheStatementsThatGainAndAComment) {
  const ModelBench bench("g++");
  const Ended ended =
      run(bench.folder(), bench.tune("5 idle", {"--strategy", "free", "--trials", "1", "--budget", "2m"}, true));
  ASSERT_EQ(ended.code, 0) << ended.err;
  const std::string source = bench.variant_source();
  EXPECT_THAT(source, HasSubstr("y[i] = 2.0f * x[i];"));
  EXPECT_THAT(source, HasSubstr("// Faster: one product in place of eight\n"));
  for (const char* idle : {"halved", "kTwo", "__builtin_prefetch"}) EXPECT_THAT(source, Not(HasSubstr(idle)));
}

// ---- starting from the built-in proposer's best

TEST_F(ModelRun, AutoStartsFromBestOfBuiltinProposer) {
  const Ended ended = run(bench.folder(), bench.tune("5 prose", {"--strategy", "auto", "--trials", "8"}));
  EXPECT_THAT(ended.err, HasSubstr("the built-in proposer first"));
  std::ifstream file(bench.recording_file());
  std::string first;
  ASSERT_TRUE(std::getline(file, first)) << ended.err;
  const json header = json::parse(first);
  ASSERT_FALSE(header["seeds"].empty()) << ended.err;
  EXPECT_LE(header["seeds"].size(), 3u);
  EXPECT_EQ(kernel_of(ended)["trials"]["total"], 3) << "the built-in proposer's are not among them";
  EXPECT_EQ(ended.code, 0) << "a seed is a find like any other: " << ended.err;
  EXPECT_NE(bench.variant(), "");
}

// ---- names

TEST_F(ModelRun, CommandLineOverridesHoneJson) {
  const Provider provider;
  bench.project().write(
      "hone.json",
      json{{"proposer", "openai"}, {"endpoint", provider.options()[3]}, {"model", "from-the-file"}, {"concurrency", 1}}
          .dump());
  const std::vector<std::string> words{"tune",
                                       "-p",
                                       (bench.folder() / "build").string(),
                                       "--executor",
                                       "command:" PRETEND_WORKER,
                                       "--trials",
                                       "1",
                                       "--strategy",
                                       "free",
                                       "--force"};
  const Ended plain = run(bench.folder(), words);
  EXPECT_THAT(plain.err, HasSubstr("model from-the-file, 1 at once"));
  EXPECT_THAT(provider.received().back().body, HasSubstr("from-the-file"));
  const Ended told = run(bench.folder(), with(words, {"--model", "from-the-line"}));
  EXPECT_THAT(provider.received().back().body, HasSubstr("from-the-line"));
  // From anywhere: the file is that of the lock, not of the folder one stands in.
  const ModelBench elsewhere;
  elsewhere.project().write("hone.json", "{ nonsense");
  const Ended far = run(elsewhere.folder(), words);
  EXPECT_THAT(far.err, HasSubstr("model from-the-file, 1 at once"));
}

TEST_F(ModelRun, ReportsEachWrongName) {
  const auto complaint = [&](const std::vector<std::string>& more) {
    const Ended ended = run(bench.folder(), with({"tune"}, more));
    EXPECT_EQ(ended.code, 2) << ended.err;
    return ended.err;
  };
  EXPECT_THAT(complaint({"--proposer", "oracle"}), HasSubstr("oracle"));
  EXPECT_THAT(complaint({"--proposer", "openai"}), HasSubstr("model"));
  EXPECT_THAT(complaint({"--strategy", "full"}), HasSubstr("needs a language model"));
  EXPECT_THAT(complaint({"--proposer", "command:cat", "--strategy", "builtin"}), HasSubstr("built-in proposer's"));
  EXPECT_THAT(complaint({"--proposer", "command:cat", "--strategy", "fastest"}), HasSubstr("choose one of"));
  bench.project().write("hone.json", R"({ "proposr": "openai" })");
  EXPECT_THAT(complaint({}), HasSubstr("hone.json"));
}

// ---- the key

TEST_F(ModelRun, LeaksKeyToNoFileOrProcess) {
  const Provider provider({Provider::good(std::chrono::milliseconds(50))});
  // Compilers and workers are looked at from inside, too.
  bench.project().write("worker.sh", "#!/bin/sh\n(env; tr '\\0' '\\n' </proc/$$/environ) >>" +
                                         (bench.folder() / "seen").string() + "\nexec " PRETEND_WORKER "\n");
  fs::permissions(bench.folder() / "worker.sh", fs::perms::owner_all);
  ::setenv("TMPDIR", bench.folder().c_str(), 1);
  auto words = asking(provider, {"--trials", "6"});
  std::replace(words.begin(), words.end(), std::string("command:" PRETEND_WORKER),
               "command:" + (bench.folder() / "worker.sh").string());
  Program program(bench.folder(), words);
  std::string processes;
  program.run_until([&] {
    const std::string own = content("/proc/" + std::to_string(program.pid()) + "/cmdline");
    for (const auto& process : fs::directory_iterator("/proc")) {
      if (!std::isdigit(static_cast<unsigned char>(process.path().filename().string().front()))) continue;
      const std::string line = content(process.path() / "cmdline"), environment = content(process.path() / "environ");
      // Whoever started this test may have the key; what the program started has our TMPDIR. A fork of Hone
      // (before exec, or to parse a candidate) still is Hone, and so is the program before it has a command line.
      const bool child = environment.find("TMPDIR=" + bench.folder().string()) != std::string::npos && line != own &&
                         line.find("hone-tool") == std::string::npos &&
                         process.path().filename() != std::to_string(program.pid());
      if (line.find(key) != std::string::npos || (child && environment.find(key) != std::string::npos))
        processes += line + "\n";
    }
    return bench.recording().size() > 30;
  });
  const Ended ended = program.wait();
  ::unsetenv("TMPDIR");
  EXPECT_EQ(processes, "");
  EXPECT_GE(provider.calls(), 6u) << ended.err;
  EXPECT_THAT(provider.received().at(0).headers.at("authorization"), HasSubstr(key)) << "else this shows nothing";
  EXPECT_THAT(ended.err + ended.out, Not(HasSubstr(key)));
  EXPECT_NE(content(bench.folder() / "seen"), "");
  std::size_t files = 0;
  for (const auto& file : fs::recursive_directory_iterator(bench.folder())) {
    if (!file.is_regular_file()) continue;
    ++files;
    EXPECT_THAT(content(file.path()), Not(HasSubstr(key))) << file.path();
  }
  EXPECT_GE(files, 10u) << "recording, journal, store, lock, records";
}

}  // namespace
}  // namespace hone
