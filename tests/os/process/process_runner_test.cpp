#include "tool/os/process/process_runner.h"

#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/files.h"

namespace hone::os {
namespace {
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;

Process deed(std::vector<std::string> words) {
  Process process;
  process.arguments = std::move(words);
  process.arguments.insert(process.arguments.begin(), HOSTILE);
  process.timeout = 30s;
  return process;
}

bool alive(pid_t pid) {
  return ::kill(pid, 0) == 0;
}

// The pid that a daemon left, once it has.
pid_t daemon_in(const std::filesystem::path& file) {
  for (int i = 0; i < 5000; ++i) {
    if (const auto text = read_file(file); text && !text->empty()) return std::atoi(text->c_str());
    std::this_thread::sleep_for(1ms);
  }
  return -1;
}

bool dies(pid_t pid) {
  for (int i = 0; i < 5000 && alive(pid); ++i) std::this_thread::sleep_for(1ms);
  return !alive(pid);
}

struct ProcessRunnerTest : testing::Test {
  PosixProcessRunner runner;
  TemporaryFolder folder = TemporaryFolder::create("hone-runner-test").value();
  std::string at(const char* name) const { return (folder.path() / name).string(); }
  Exit run(const Process& process) { return runner.run(process).value(); }
};

// In a process that `prepare` has done something to, which it keeps: does a child run to its end there?
template <class Prepare>
bool runs_where(Prepare prepare) {
  const pid_t child = ::fork();
  if (child == 0) {
    ::alarm(20);
    prepare();
    Process process;
    process.arguments = {"sh", "-c", "echo out"};
    const auto exit = PosixProcessRunner().run(process);
    ::_exit(exit && exit->ok() && exit->out == "out\n" ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// An older kernel, or a container whose profile does not know the call.
void forbid_close_range() {
  sock_filter program[] = {BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
                           BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_close_range, 0, 1),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | ENOSYS),
                           BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)};
  const sock_fprog filter{4, program};
  ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter);
}

TEST_F(ProcessRunnerTest, RunsProgramWithoutCloseRange) {
  EXPECT_TRUE(runs_where(forbid_close_range));
}

TEST_F(ProcessRunnerTest, RunsProgramIfFewFilesMayBeOpen) {
  EXPECT_TRUE(runs_where([] {
    const rlimit few{64, 64};
    ::setrlimit(RLIMIT_NOFILE, &few);
  }));
}

TEST_F(ProcessRunnerTest, ReturnsOutputErrorAndExitCode) {
  Process process;
  process.arguments = {"sh", "-c", "echo out; echo err >&2; exit 3"};
  const Exit exit = run(process);
  EXPECT_EQ(exit.code, 3);
  EXPECT_FALSE(exit.ok());
  EXPECT_EQ(exit.out, "out\n");
  EXPECT_EQ(exit.err, "err\n");
}

TEST_F(ProcessRunnerTest, PassesInputLargerThanPipe) {
  Process process = deed({"echo"});
  process.input.assign(5'000'000, 'x');
  EXPECT_EQ(run(process).out, process.input);
}

TEST_F(ProcessRunnerTest, DoesNotBlockOnUnreadInput) {
  Process process;
  process.arguments = {"true"};
  process.input.assign(5'000'000, 'x');
  EXPECT_TRUE(run(process).ok());
}

TEST_F(ProcessRunnerTest, GivesEndOfFileWithoutInput) {
  EXPECT_TRUE(run(deed({"echo"})).ok());
}

TEST_F(ProcessRunnerTest, RunsInGivenFolder) {
  Process process;
  process.arguments = {"pwd"};
  process.directory = folder.path();
  EXPECT_EQ(run(process).out, folder.path().string() + "\n");
}

// Its own nice value counts within its session alone.
TEST_F(ProcessRunnerTest, LetsWholeSessionStandBack) {
  if (!std::filesystem::exists("/proc/self/autogroup")) GTEST_SKIP() << "this kernel shares by process alone";
  Process process;
  process.arguments = {"/bin/cat", "/proc/self/autogroup"};
  process.nice = 10;
  for (int i = 0; i < 10; ++i) {  // without privileges the kernel takes one such wish in a tenth of a second
    if (run(process).out.ends_with("nice 10\n")) return;
    std::this_thread::sleep_for(100ms);
  }
  ADD_FAILURE() << run(process).out;
}

TEST_F(ProcessRunnerTest, ReportsMissingProgramByName) {
  Process process;
  process.arguments = {"no-such-program-anywhere"};
  EXPECT_THAT(runner.run(process).error().message(), HasSubstr("'no-such-program-anywhere' is not on PATH"));
  process.arguments = {at("missing")};
  EXPECT_THAT(runner.run(process).error().message(), HasSubstr("missing: there is no such program"));
}

TEST_F(ProcessRunnerTest, ReportsFileThatIsNotExecutable) {
  ASSERT_TRUE(write_file_atomically(at("text"), "x"));
  Process process;
  process.arguments = {at("text")};
  EXPECT_THAT(runner.run(process).error().message(), HasSubstr("text: it is not an executable file"));
}

TEST_F(ProcessRunnerTest, ReportsExecutableOfUnknownFormat) {
  ASSERT_TRUE(write_file_atomically(at("odd"), "\x01\x02\x03"));
  std::filesystem::permissions(at("odd"), std::filesystem::perms::all);
  Process process;
  process.arguments = {at("odd")};
  EXPECT_THAT(runner.run(process).error().message(), HasSubstr("odd: cannot run the program: Exec format error"));
}

TEST_F(ProcessRunnerTest, ReportsMissingFolder) {
  Process process;
  process.arguments = {"true"};
  process.directory = at("nowhere");
  EXPECT_THAT(runner.run(process).error().message(), HasSubstr("enter its working directory"));
}

TEST_F(ProcessRunnerTest, ReturnsSignalOfCrash) {
  const Exit exit = run(deed({"crash"}));
  EXPECT_EQ(exit.signal, SIGSEGV);
  EXPECT_EQ(exit.code, 128 + SIGSEGV);
  EXPECT_EQ(run(deed({"abort"})).signal, SIGABRT);
}

TEST_F(ProcessRunnerTest, TruncatesLongOutputAndLetsProgramEnd) {
  Process process = deed({"print"});
  process.output_bytes = 1000;
  const Exit exit = run(process);
  EXPECT_TRUE(exit.ok());
  EXPECT_TRUE(exit.truncated);
  EXPECT_EQ(exit.out.size(), 1000u);
}

TEST_F(ProcessRunnerTest, KillsTimedOutProcessThatIgnoresSignals) {
  Process process = deed({"ignore-signals"});
  process.timeout = 100ms;
  const Exit exit = run(process);
  EXPECT_TRUE(exit.timed_out);
  EXPECT_EQ(exit.signal, SIGKILL);
}

TEST_F(ProcessRunnerTest, KillsDaemonsAtTimeout) {
  Process process = deed({"daemon-and-stay", at("pid")});
  process.timeout = 1s;
  EXPECT_TRUE(run(process).timed_out);
  EXPECT_FALSE(alive(daemon_in(at("pid"))));
}

TEST_F(ProcessRunnerTest, KillsDaemonOfSuccessfulProgram) {
  EXPECT_TRUE(run(deed({"daemon", at("pid")})).ok());
  EXPECT_FALSE(alive(daemon_in(at("pid"))));
}

TEST_F(ProcessRunnerTest, KillsTreeOnStopRequest) {
  std::stop_source source;
  Process process = deed({"daemon-and-stay", at("pid")});
  process.stop = source.get_token();
  std::jthread stopper([&] {
    daemon_in(at("pid"));
    source.request_stop();
  });
  const Exit exit = run(process);
  EXPECT_TRUE(exit.canceled);
  EXPECT_FALSE(exit.timed_out);
  EXPECT_FALSE(alive(daemon_in(at("pid"))));
}

TEST_F(ProcessRunnerTest, CancelsProcessThatWasStoppedBeforeStart) {
  std::stop_source source;
  source.request_stop();
  Process process = deed({"sleep"});
  process.stop = source.get_token();
  EXPECT_TRUE(run(process).canceled);
}

TEST_F(ProcessRunnerTest, HidesSecretsFromChild) {
  ::setenv("SOME_API_KEY", "hush", 1);
  ::setenv("github_token", "hush", 1);
  ::setenv("DB_PASSWORD_FILE", "hush", 1);
  ::setenv("HONE_TEST_PLAIN", "plain", 1);
  const std::string seen = run(deed({"environment"})).out;
  EXPECT_THAT(seen, HasSubstr("HONE_TEST_PLAIN=plain"));
  EXPECT_THAT(seen, Not(HasSubstr("hush")));
}

TEST_F(ProcessRunnerTest, PassesOnlyGivenEnvironment) {
  Process process = deed({"environment"});
  process.environment.emplace().emplace("A", "1");
  EXPECT_EQ(run(process).out, "A=1\n");
}

TEST_F(ProcessRunnerTest, ClosesInheritedDescriptors) {
  const FileLock lock = FileLock::acquire(at("lock")).value();
  const int leaky = ::dup(0);  // without close-on-exec
  EXPECT_EQ(run(deed({"descriptors"})).out, "0 1 2 ");
  ::close(leaky);
}

TEST_F(ProcessRunnerTest, RunsProcessesFromManyThreads) {
  std::vector<std::jthread> threads;
  std::atomic<int> right = 0;
  for (int t = 0; t < 8; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 20; ++i) {
        Process process = deed({"echo"});
        process.input = std::to_string(t * 1000 + i);
        right += run(process).out == process.input;
      }
    });
  }
  threads.clear();
  EXPECT_EQ(right, 160);
}

// kill -9 of a process in the middle of a run.
void expect_that_nothing_outlives(const std::string& how, const std::string& pid_file) {
  const pid_t user = ::fork();
  if (user == 0) {
    ::execl(RUNS_AND_WAITS, RUNS_AND_WAITS, how.c_str(), HOSTILE, "daemon-and-stay", pid_file.c_str(), nullptr);
    ::_exit(127);
  }
  const pid_t daemon = daemon_in(pid_file);
  ASSERT_GT(daemon, 0);
  ::kill(user, SIGKILL);
  ::waitpid(user, nullptr, 0);
  EXPECT_TRUE(dies(daemon)) << daemon;
}

TEST_F(ProcessRunnerTest, KillsTreeIfCallerIsKilled) {
  expect_that_nothing_outlives("trusted", at("pid"));
}

}  // namespace
}  // namespace hone::os
