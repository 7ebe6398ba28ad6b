#include "tool/executor/command_executor.h"

#include <sys/stat.h>

#include <cstdlib>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/bundle/answer.h"
#include "tool/cuda/device_count.h"
#include "tool/executor/machine_kept.h"
#include "tool/executor/make_executor.h"
#include "tool/os/files/files.h"

namespace hone::executor {
using namespace bundle;
namespace {
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

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

Bundle blur_bundle() {
  Bundle bundle;
  bundle.kernel.name = "blur";
  bundle.data.problems = {{{}, 1}, {{}, 0}, {{}, 3}};
  bundle.plan.seed = 77;
  bundle.reference = "reference";
  bundle.candidate = "candidate";
  return bundle;
}

// Twice as fast on both problems that count, and honestly told.
Verdict twice_as_fast() {
  Verdict verdict{.stage = Stage::done, .right = true, .faster = true, .reason = "faster", .seconds = 0.9};
  const std::vector<double> slow{2.0e-3, 2.1e-3, 2.02e-3, 1.98e-3, 2.01e-3},
      fast{1.0e-3, 1.05e-3, 1.01e-3, 0.99e-3, 1e-3};
  for (const double weight : {1.0, 3.0}) {
    ProblemMeasurement problem{.label = "n=3", .weight = weight};
    for (int i = 0; i < 40; ++i) {
      problem.reference_samples.push_back(slow[static_cast<std::size_t>(i) % 5]);
      problem.candidate_samples.push_back(fast[static_cast<std::size_t>(i * 2) % 5]);
    }
    verdict.measurement.problems.push_back(problem);
  }
  verdict.measurement.speedup = {2, 1.9, 2.1};
  verdict.measurement.seconds = 0.6;
  verdict.measurement.clock = "process-cpu";
  return verdict;
}

// A worker that takes its bundle and answers what it pleases.
struct WorkerAnswer : ExecutorTest {
  Result<Verdict> hear(const std::string& answer, const Bundle& bundle = blur_bundle()) {
    EXPECT_TRUE(os::write_file_atomically(folder.path() / "answer", answer));
    return run(command("cat > /dev/null; cat " + (folder.path() / "answer").string()), bundle);
  }
  Result<Verdict> hear(const Verdict& verdict, const Bundle& bundle = blur_bundle()) {
    return hear(serialize_answer({verdict}, serialize(bundle)), bundle);
  }
  template <class Change>
  std::string error_after(Change change, const Bundle& bundle = blur_bundle()) {
    Verdict verdict = twice_as_fast();
    change(verdict);
    const auto heard = hear(verdict, bundle);
    return heard ? "believed: " + heard->reason : heard.error().message();
  }
  static std::string honest() { return serialize_answer({twice_as_fast()}, serialize(blur_bundle())); }
  static std::string with(const std::string& from, const std::string& to) {
    std::string text = honest();
    const auto at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
  }
  std::string error_of(const std::string& answer) {
    const auto heard = hear(answer);
    return heard ? "believed: " + heard->reason : heard.error().message();
  }
};

TEST_F(WorkerAnswer, IsBelievedIfConsistent) {
  const auto verdict = hear(twice_as_fast());
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_TRUE(verdict->faster);
  EXPECT_THAT(verdict->reason, testing::StartsWith("faster: 2.0"));
  EXPECT_NEAR(verdict->measurement.problems[0].reference_seconds, 2e-3, 1e-4);
}

TEST_F(WorkerAnswer, GetsItsFiguresFromSamples) {
  Verdict verdict = twice_as_fast();
  verdict.measurement.problems[1].speedup = {90, 80, 100};
  verdict.measurement.problems[1].candidate_seconds = 1e-9;
  verdict.reason = "faster: 90x";
  const auto heard = hear(verdict);
  ASSERT_TRUE(heard) << heard.error().message();
  EXPECT_NEAR(heard->measurement.problems[1].speedup.median, 2, 0.1);
  EXPECT_NEAR(heard->measurement.problems[1].candidate_seconds, 1e-3, 1e-4);
  EXPECT_THAT(heard->reason, Not(HasSubstr("90")));
}

TEST_F(WorkerAnswer, IsRefusedIfSamplesContradictSpeedup) {
  EXPECT_THAT(error_after([](Verdict& v) {
                v.measurement.speedup = {50, 40, 60};
              }),
              HasSubstr("not those of its samples"));
}

TEST_F(WorkerAnswer, IsNotFasterIfItsSamplesAreNot) {
  Verdict verdict = twice_as_fast();
  for (ProblemMeasurement& problem : verdict.measurement.problems)
    problem.candidate_samples = problem.reference_samples;
  verdict.measurement.speedup = {1, 0.99, 1.01};
  const auto heard = hear(verdict);
  ASSERT_TRUE(heard) << heard.error().message();
  EXPECT_FALSE(heard->faster);
  EXPECT_EQ(heard->stage, Stage::time);
  EXPECT_THAT(heard->reason, HasSubstr("not faster by its own samples"));
}

TEST_F(WorkerAnswer, IsRefusedIfFasterWithoutSamples) {
  EXPECT_THAT(error_after([](Verdict& v) {
                for (ProblemMeasurement& problem : v.measurement.problems) {
                  problem.reference_samples.clear();
                  problem.candidate_samples.clear();
                }
              }),
              HasSubstr("no samples"));
}

TEST_F(WorkerAnswer, IsRefusedForOtherBundle) {
  Bundle other = blur_bundle();
  other.plan.seed = 78;
  EXPECT_THAT(error_of(serialize_answer({twice_as_fast()}, serialize(other))), HasSubstr("to another bundle"));
  EXPECT_THAT(error_of(serialize(twice_as_fast())), HasSubstr("makes no sense"));
}

TEST_F(WorkerAnswer, IsRefusedIfContradictory) {
  EXPECT_THAT(error_after([](Verdict& v) { v.right = false; }), HasSubstr("calls a wrong candidate faster"));
  EXPECT_THAT(error_after([](Verdict& v) { v.right = v.faster = false; }), HasSubstr("done with a wrong candidate"));
  EXPECT_THAT(error_after([](Verdict& v) { v.stage = Stage::time; }), HasSubstr("not judged to the end"));
  EXPECT_THAT(error_after([](Verdict& v) { v.stage = Stage::verify; }), HasSubstr("not verified"));
  EXPECT_THAT(error_after([](Verdict& v) { v.measurement.speedup = {2, 3, 1}; }), HasSubstr("not around its median"));
  EXPECT_THAT(error_after([](Verdict& v) { v.measurement.problems[0].candidate_samples.pop_back(); }),
              HasSubstr("not in pairs"));
}

TEST_F(WorkerAnswer, IsRefusedWithStageOfOtherProgram) {
  EXPECT_THAT(error_after([](Verdict& v) { v = Verdict{.stage = Stage::gate, .reason = "no"}; }),
              HasSubstr("not the worker's"));
}

TEST_F(WorkerAnswer, IsRefusedWithOtherProblemsOrWeights) {
  EXPECT_THAT(error_after([](Verdict& v) { v.measurement.problems.pop_back(); }), HasSubstr("other problems"));
  EXPECT_THAT(error_after([](Verdict& v) { v.measurement.problems[0].weight = 100; }), HasSubstr("weighs"));
}

TEST_F(WorkerAnswer, IsRefusedIfItClaimsMoreTimeThanPassed) {
  EXPECT_THAT(error_after([](Verdict& v) { v.seconds = 3600; }), HasSubstr("longer than it did"));
  EXPECT_THAT(error_after([](Verdict& v) { v.measurement.seconds = 3600; }), HasSubstr("longer than it ran"));
  EXPECT_THAT(error_after([](Verdict& v) {
                for (ProblemMeasurement& problem : v.measurement.problems)
                  for (double& sample : problem.reference_samples) sample *= 1000;
                v.measurement.speedup = {2000, 1900, 2100};
              }),
              HasSubstr("longer than it measured"));
}

TEST_F(WorkerAnswer, IsRefusedIfOriginalIsFasterThanItself) {
  Bundle bundle = blur_bundle();
  bundle.plan.task = Task::reference;
  EXPECT_THAT(error_after([](Verdict&) {}, bundle), HasSubstr("faster than itself"));
}

TEST_F(WorkerAnswer, IsRefusedWithWrongTypesOrFigures) {
  for (const char* right : {"1", "null", "\"true\"", "[]"})
    EXPECT_THAT(error_of(with("\"right\":true", std::string("\"right\":") + right)), HasSubstr("makes no sense"));
  for (const char* seconds : {"-1", "1e999", "NaN", "null", "\"0.6\"", "{}"})
    EXPECT_THAT(error_of(with("\"seconds\":0.6", std::string("\"seconds\":") + seconds)), HasSubstr("makes no sense"));
  EXPECT_THAT(error_of(with("\"stage\":\"done\"", "\"stage\":\"won\"")), HasSubstr("stage is unknown"));
}

TEST_F(WorkerAnswer, IsRefusedWithDuplicateKey) {
  EXPECT_THAT(error_of(with("\"right\":true", "\"right\":true,\"right\":false")), HasSubstr("a key twice"));
}

TEST_F(WorkerAnswer, IsRefusedWithTextAroundIt) {
  EXPECT_THAT(error_of(honest() + honest()), HasSubstr("not JSON"));
  EXPECT_THAT(error_of("Welcome to gpu1\n" + honest()), HasSubstr("not JSON"));
}

TEST_F(WorkerAnswer, IsRefusedIfTruncated) {
  const std::string whole = honest();
  EXPECT_THAT(error_of(whole.substr(0, whole.size() / 2)), HasSubstr("not JSON"));
}

TEST_F(WorkerAnswer, IsRefusedIfNestedTooDeeply) {
  EXPECT_THAT(error_of(std::string(1'000'000, '[')), HasSubstr("nested too deeply"));
}

TEST_F(WorkerAnswer, IsRefusedIfEndless) {
  EXPECT_THAT(run(command("cat > /dev/null; head -c 70000000 /dev/zero"), blur_bundle()).error().message(),
              HasSubstr("without an end"));
}

Verdict judged_on(const std::string& machine) {
  Verdict verdict = twice_as_fast();
  verdict.machine = machine;
  return verdict;
}

TEST(MachineKept, AdmitsTheFirstMachineAndThenNoOther) {
  MachineKept kept;
  EXPECT_TRUE(kept.admit(judged_on("")));
  EXPECT_EQ(kept.machine(), "");
  EXPECT_TRUE(kept.admit(judged_on("AMD EPYC 1234X")));
  EXPECT_EQ(kept.machine(), "AMD EPYC 1234X");
  EXPECT_TRUE(kept.admit(judged_on("AMD EPYC 1234X")));
  EXPECT_TRUE(kept.admit(judged_on(""))) << "an earlier version's worker does not say";
  const auto other = kept.admit(judged_on("Intel Xeon 4321X"));
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), AllOf(HasSubstr("an Intel Xeon 4321X now"), HasSubstr("on an AMD EPYC 1234X"),
                                             HasSubstr("[hone-executor-machine]")));
  EXPECT_EQ(kept.machine(), "AMD EPYC 1234X");
}

TEST(MachineKept, AdmitsOnlyTheMachineThatItIsToKeepTo) {
  MachineKept kept;
  kept.keep_to("AMD EPYC 1234X");
  EXPECT_FALSE(kept.admit(judged_on("Intel Xeon 4321X")));
  EXPECT_TRUE(kept.admit(judged_on("AMD EPYC 1234X")));
}

TEST_F(WorkerAnswer, OfAnotherMachineThanTheSearchKeepsToIsRefused) {
  const Bundle bundle = blur_bundle();
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "answer",
                                        serialize_answer({judged_on("Intel Xeon 4321X")}, serialize(bundle))));
  const std::string answering = script("worker", "cat > /dev/null; cat " + (folder.path() / "answer").string());
  CommandExecutor free({answering}, false, runner), kept({answering}, false, runner), local({answering}, true, runner);
  EXPECT_TRUE(free.run(bundle, {}));
  kept.keep_to("AMD EPYC 1234X");
  local.keep_to("AMD EPYC 1234X");
  const auto answer = kept.run(bundle, {});
  ASSERT_FALSE(answer);
  EXPECT_THAT(answer.error().message(), HasSubstr("[hone-executor-machine]"));
  EXPECT_TRUE(local.run(bundle, {})) << "this machine is what it is";
}

TEST_F(WorkerAnswer, IsCleanedOfControlCharacters) {
  Verdict verdict{
      .stage = Stage::verify, .reason = "\x1b[2J\x1b]0;owned\x07 wrong\nfaster: 3x", .detail = "a\x1b[31m\nb"};
  const auto heard = hear(verdict);
  ASSERT_TRUE(heard) << heard.error().message();
  EXPECT_EQ(heard->reason, "\\x1b]0;owned\\x07 wrong faster: 3x");
  EXPECT_EQ(heard->detail, "a\nb");
  EXPECT_THAT(run(command("printf '\\033[2Jgone\\007' >&2; exit 1"), blur_bundle()).error().message(),
              AllOf(HasSubstr("saying: gone\\x07"), Not(HasSubstr("\x1b"))));
}

TEST_F(WorkerAnswer, KeepsFewerSamplesOfLongMeasurement) {
  Verdict verdict = twice_as_fast();
  for (ProblemMeasurement& problem : verdict.measurement.problems) {
    problem.reference_samples.assign(9000, 2e-5);
    problem.candidate_samples.assign(9000, 1e-5);
  }
  const auto heard = hear(verdict);
  ASSERT_TRUE(heard) << heard.error().message();
  EXPECT_TRUE(heard->faster);
  EXPECT_EQ(heard->measurement.problems[0].reference_samples.size(), 1800u);
}

TEST_F(ExecutorTest, SendsBundleAndReadsVerdict) {
  Verdict answer;
  answer.stage = Stage::verify;
  answer.reason = "element 3 is wrong";
  Bundle bundle;
  bundle.kernel.name = "blur";
  bundle.data.problems.resize(1);
  bundle.plan.task = Task::reference;
  bundle.reference.assign(300'000, 'r');
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "answer", serialize_answer({answer}, serialize(bundle))));
  const auto verdict = run(command("cd " + folder.path().string() + "; cat > bundle; cat answer"), bundle);
  ASSERT_TRUE(verdict) << verdict.error().message();
  EXPECT_EQ(verdict->stage, Stage::verify);
  EXPECT_EQ(verdict->reason, "element 3 is wrong");
  const auto sent = parse_bundle(os::read_file(folder.path() / "bundle").value());
  ASSERT_TRUE(sent) << sent.error().message();
  EXPECT_EQ(sent->kernel.name, "blur");
  EXPECT_EQ(sent->reference, bundle.reference);
}

TEST_F(ExecutorTest, ReportsLastOutputOfWorkerThatDies) {
  EXPECT_THAT(run(command("echo 'no GPU here' >&2; exit 9")).error().message(),
              AllOf(HasSubstr("ended with code 9"), HasSubstr("no GPU here"), HasSubstr("hone doctor")));
  EXPECT_THAT(run(command("kill -SEGV $$")).error().message(), HasSubstr("was killed by signal 11"));
}

TEST_F(ExecutorTest, ShowsOutputThatIsNoVerdict) {
  EXPECT_THAT(run(command("echo hello")).error().message(), AllOf(HasSubstr("gave no verdict"), HasSubstr("hello")));
  EXPECT_THAT(run(command("true")).error().message(), HasSubstr("gave no verdict"));
}

TEST_F(ExecutorTest, ReportsMissingCommand) {
  EXPECT_THAT(run("command:no-such-launcher hone-worker -").error().message(),
              AllOf(HasSubstr("cannot be started"), HasSubstr("'no-such-launcher' is not on PATH")));
}

TEST_F(ExecutorTest, RejectsUnknownSpecificationAndListsKnownOnes) {
  EXPECT_THAT(run("slurm").error().message(), AllOf(HasSubstr("no executor 'slurm'"), HasSubstr("say local")));
  EXPECT_THAT(run("command:").error().message(), HasSubstr("the command is empty"));
}

TEST_F(ExecutorTest, TakesLocalWorkerFromEnvironment) {
  ::setenv("HONE_WORKER", script("mine", "echo mine >&2; exit 1").c_str(), 1);
  EXPECT_THAT(run("local").error().message(), HasSubstr("saying: mine"));
  ::unsetenv("HONE_WORKER");
}

TEST_F(ExecutorTest, ReportsMissingLocalWorker) {
  EXPECT_THAT(run("local").error().message(), AllOf(HasSubstr("cannot find hone-worker"), HasSubstr("HONE_WORKER")));
}

TEST_F(ExecutorTest, StopsOnRequest) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THAT(run(command("sleep 1000"), {}, source.get_token()).error().message(), HasSubstr("stopped"));
}

TEST_F(ExecutorTest, RequiresDeviceOnlyForLocalCudaKernel) {
  ::setenv("HONE_WORKER", "/bin/true", 1);
  const auto local = make_executor("local", runner), elsewhere = make_executor("command:srun hone-worker -", runner);
  ::unsetenv("HONE_WORKER");
  ASSERT_TRUE(local && elsewhere);
  KernelSpec spec;
  EXPECT_TRUE((*local)->ready_for(spec));
  spec.cuda = true;
  EXPECT_TRUE((*elsewhere)->ready_for(spec));
  const auto ready = (*local)->ready_for(spec);
  EXPECT_EQ(ready.has_value(), cuda::cuda_devices().has_value());
  if (ready) return;
  EXPECT_THAT(ready.error().message(), AllOf(testing::StartsWith("there is no CUDA device here"),
                                             HasSubstr("--executor \"command:srun --gres=gpu:1 hone-worker -\"")));
}

TEST_F(ExecutorTest, RequiresOwnProcessorOnlyForLocalKernel) {
  ::setenv("HONE_WORKER", "/bin/true", 1);
  const auto local = make_executor("local", runner),
             elsewhere = make_executor("command:ssh board hone-worker -", runner);
  ::unsetenv("HONE_WORKER");
  ASSERT_TRUE(local && elsewhere);
  KernelSpec spec;
  spec.name = "blur", spec.file = "/src/blur.cpp", spec.line = 3, spec.target = "riscv64 a c d f m";
  EXPECT_TRUE((*elsewhere)->ready_for(spec));
  const auto ready = (*local)->ready_for(spec);
  ASSERT_FALSE(ready);
  EXPECT_THAT(ready.error().message(), AllOf(HasSubstr("/src/blur.cpp:3"), HasSubstr("'blur' is compiled for riscv64"),
                                             HasSubstr("--executor \"command:ssh BOARD hone-worker -\"")));
}

}  // namespace
}  // namespace hone::executor
