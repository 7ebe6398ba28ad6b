// What `hone doctor` says of language models, by the real program: who would be asked, and whether that can work.
#include <cstdlib>
#include <filesystem>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "model_bench.h"
#include "tests/llm/loopback_server.h"

namespace hone {
namespace {

using nlohmann::json;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

constexpr const char* secret_key = "sk-the-key-that-nobody-else-may-see";

struct Doctor : testing::Test {
  ModelBench bench;

  Doctor() { ::unsetenv("HONE_API_KEY"); }
  ~Doctor() override { ::unsetenv("HONE_API_KEY"); }

  std::string doctor(const std::vector<std::string>& more = {}) const {
    std::vector<std::string> words{"doctor"};
    words.insert(words.end(), more.begin(), more.end());
    const Ended ended = run(bench.folder(), words);
    EXPECT_THAT(ended.out + ended.err, Not(HasSubstr(secret_key)));
    return ended.out + ended.err;
  }
};

TEST_F(Doctor, ReportsThatNoModelIsUsed) {
  EXPECT_THAT(doctor(), HasSubstr("builtin: asks no language model"));
}

TEST_F(Doctor, ReportsEndpointModelAndKeyWithoutSending) {
  const llm::LoopbackServer server({llm::answer(200, llm::openai_reply("ready"))});
  bench.project().write(
      "hone.json", json{{"proposer", "openai"}, {"endpoint", server.url("/v1")}, {"model", "from-the-file"}}.dump());
  EXPECT_THAT(doctor(), AllOf(HasSubstr("openai with the strategy auto"),
                              HasSubstr("from-the-file at " + server.url("/v1") + "; no key is sent")));
  ::setenv("HONE_API_KEY", secret_key, 1);
  EXPECT_THAT(doctor({"--model", "from-the-line"}),
              HasSubstr("from-the-line at " + server.url("/v1") + "; the key in HONE_API_KEY is set"));
  EXPECT_TRUE(server.received().empty());
}

TEST_F(Doctor, ProbesModelOnlyOnRequest) {
  const llm::LoopbackServer server({llm::answer(200, llm::openai_reply("ready")), llm::answer(401, "{}")});
  ::setenv("HONE_API_KEY", secret_key, 1);
  const std::vector<std::string> words{"--proposer", "openai", "--endpoint",   server.url("/v1"),
                                       "--model",    "m",      "--probe-model"};
  EXPECT_THAT(doctor(words),
              AllOf(HasSubstr("sends one short question to " + server.url("/v1")), HasSubstr(" answered after ")));
  ASSERT_EQ(server.received().size(), 1u);
  EXPECT_THAT(server.received()[0].body, Not(HasSubstr("twice"))) << "nothing of the project's";
  EXPECT_THAT(doctor(words), AllOf(HasSubstr("PROBLEM"), HasSubstr("answered 401")));
  EXPECT_EQ(server.received().size(), 2u) << "once each";
}

TEST_F(Doctor, ReportsSettingsThatCannotWork) {
  EXPECT_THAT(doctor({"--proposer", "openai", "--model", "m"}), HasSubstr("OPENAI_API_KEY: the key is not set"));
  EXPECT_THAT(doctor({"--proposer", "openai"}), HasSubstr("no model is named"));
  EXPECT_THAT(doctor({"--proposer", "oracle"}), HasSubstr("there is no language model called 'oracle'"));
  EXPECT_THAT(doctor({"--proposer", "command:no-such-program --quiet"}),
              HasSubstr("the program 'no-such-program' is not on PATH"));
  bench.project().write("hone.json", "{ \"proposr\": 1 }");
  EXPECT_THAT(doctor(), HasSubstr("hone.json:1"));
}

TEST_F(Doctor, FindsProgramOfCommandWithoutShowingArguments) {
  const std::string said = doctor({"--proposer", "command:sh -c 'echo secret words'"});
  EXPECT_THAT(said, AllOf(HasSubstr("the command 'sh', found at /"), Not(HasSubstr("secret words"))));
}

TEST_F(Doctor, ParsesWithHeadersOfCompiler) {
  EXPECT_THAT(doctor(), HasSubstr("ok       Clang        parses, with the headers of "));
}

TEST_F(Doctor, ReportsWhetherNvrtcCompilesTrials) {
  EXPECT_THAT(doctor(), HasSubstr("ok       NVRTC        /"));
  for (const char* nowhere : {"", "/no/such/program"}) {
    ::setenv("HONE_NVRTC", nowhere, 1);
    EXPECT_THAT(doctor(), HasSubstr("hone-nvrtc is not installed beside this program; nvcc compiles every trial"));
  }
  ::unsetenv("HONE_NVRTC");
}

// A script on PATH in front of a compiler, beside it an installation without headers, and no word of where they are.
struct DoctorBehindAScript : Doctor {
  const std::string path = std::getenv("PATH");

  void install(const std::string& script) const {
    const auto root = bench.folder() / "gcc";
    std::filesystem::create_directories(root / "bin");
    std::filesystem::create_directories(root / "lib/gcc/x86_64-linux-gnu/99");
    bench.project().write("gcc/lib/gcc/x86_64-linux-gnu/99/crtbegin.o", "");
    bench.project().write("gcc/bin/g++", "#!/bin/sh\n" + script);
    std::filesystem::permissions(root / "bin/g++", std::filesystem::perms::owner_all);
    ::setenv("PATH", ((root / "bin").string() + ":" + path).c_str(), 1);
  }
  ~DoctorBehindAScript() override { ::setenv("PATH", path.c_str(), 1); }
};

TEST_F(DoctorBehindAScript, ReportsMissingHeaders) {
  install("exec /usr/bin/g++ \"$@\" 2>/dev/null\n");
  EXPECT_THAT(doctor(), AllOf(HasSubstr("PROBLEM  Clang        cannot read what g++ compiles: "),
                              HasSubstr("'cmath' file not found")));
}

TEST_F(DoctorBehindAScript, FindsHeadersThatCompilerNames) {
  install("exec /usr/bin/g++ \"$@\"\n");
  EXPECT_THAT(doctor(), AllOf(HasSubstr("parses, with the headers of "), Not(HasSubstr("cannot read what"))));
}

TEST_F(DoctorBehindAScript, BlamesCompilerThatLacksHeadersItself) {
  install("[ \"$1\" = --version ] && echo 'g++ (nobody) 99' && exit\nexit 1\n");
  EXPECT_THAT(doctor(), AllOf(HasSubstr("absent   Clang        g++ does not find <cmath> itself"),
                              Not(HasSubstr("cannot read what g++"))));
}

}  // namespace
}  // namespace hone
