#include "tool/evaluate/executor.h"

#include <sys/stat.h>

#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files.h"

namespace hone::evaluate {
namespace {
using testing::AllOf;
using testing::HasSubstr;

struct ExecutorTest : testing::Test {
  os::TemporaryFolder folder = os::TemporaryFolder::create("hone-executor-test").value();
  os::PosixProcessRunner runner;

  // A worker made of shell: it keeps what it was sent and answers what `answer` holds.
  std::string script(const std::string& name, const std::string& text) const {
    const std::string path = folder.path() / name;
    EXPECT_TRUE(os::write_file_atomically(path, "#!/bin/sh\n" + text));
    ::chmod(path.c_str(), 0755);
    return path;
  }
  std::string command(const std::string& text) const { return "command:'" + script("worker", text) + "'"; }
  Result<Verdict> run(const std::string& specification, const Bundle& bundle = {}, std::stop_token stop = {}) {
    auto executor = make_executor(specification, runner);
    if (!executor) return tl::unexpected(executor.error());
    return (*executor)->run(bundle, stop);
  }
};

TEST_F(ExecutorTest, ABundleGoesInAndAVerdictComesOut) {
  Verdict answer;
  answer.stage = Stage::verify;
  answer.reason = "element 3 is wrong";
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "answer", serialize(answer)));
  Bundle bundle;
  bundle.spec.name = "blur";
  bundle.spec.problems.resize(1);
  bundle.plan.task = Task::reference;
  bundle.reference.assign(300'000, 'r');
  const auto verdict = run(command("cd " + folder.path().string() + "; cat > bundle; cat answer"), bundle);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_EQ(verdict->stage, Stage::verify);
  EXPECT_EQ(verdict->reason, "element 3 is wrong");
  const auto sent = parse_bundle(os::read_file(folder.path() / "bundle").value());
  ASSERT_TRUE(sent) << sent.error().message();
  EXPECT_EQ(sent->spec.name, "blur");
  EXPECT_EQ(sent->reference, bundle.reference);
}

TEST_F(ExecutorTest, AWorkerThatDiesIsAnErrorWithItsLastWords) {
  EXPECT_THAT(run(command("echo 'no GPU here' >&2; exit 9")).error().message(),
              AllOf(HasSubstr("ended with code 9"), HasSubstr("no GPU here"), HasSubstr("hone doctor")));
  EXPECT_THAT(run(command("kill -SEGV $$")).error().message(), HasSubstr("was killed by signal 11"));
}

TEST_F(ExecutorTest, NonsenseIsAnErrorThatShowsIt) {
  EXPECT_THAT(run(command("echo hello")).error().message(), AllOf(HasSubstr("gave no verdict"), HasSubstr("hello")));
  EXPECT_THAT(run(command("true")).error().message(), HasSubstr("gave no verdict"));
}

TEST_F(ExecutorTest, ACommandThatIsNotThereIsAnError) {
  EXPECT_THAT(run("command:no-such-launcher hone-worker -").error().message(),
              AllOf(HasSubstr("cannot be started"), HasSubstr("'no-such-launcher' is not on PATH")));
}

TEST_F(ExecutorTest, AnUnknownSpecificationSaysWhatIsKnown) {
  EXPECT_THAT(run("slurm").error().message(), AllOf(HasSubstr("no executor 'slurm'"), HasSubstr("say local")));
  EXPECT_THAT(run("command:").error().message(), HasSubstr("the command is empty"));
}

TEST_F(ExecutorTest, TheLocalWorkerIsTheOneThatTheEnvironmentNames) {
  ::setenv("HONE_WORKER", script("mine", "echo mine >&2; exit 1").c_str(), 1);
  EXPECT_THAT(run("local").error().message(), HasSubstr("saying: mine"));
  ::unsetenv("HONE_WORKER");
}

TEST_F(ExecutorTest, WithoutAWorkerBesideItLocalIsAnError) {
  EXPECT_THAT(run("local").error().message(), AllOf(HasSubstr("cannot find hone-worker"), HasSubstr("HONE_WORKER")));
}

TEST_F(ExecutorTest, AJudgementIsStoppedOnRequest) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THAT(run(command("sleep 1000"), {}, source.get_token()).error().message(), HasSubstr("stopped"));
}

}  // namespace
}  // namespace hone::evaluate
