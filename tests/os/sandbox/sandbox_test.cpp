#include "tool/os/sandbox/sandbox.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/os/sandboxed.h"
#include "tool/os/files/files.h"
#include "tool/os/process/child.h"
#include "tool/os/process/process_runner.h"

namespace hone::os {
namespace {
using namespace std::chrono_literals;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

// What a program that stands in libexec/hone of such a tree loads.
TEST(SystemFolders, HaveLibrariesThatAnInstallTreeBrings) {
  namespace fs = std::filesystem;
  const TemporaryFolder tree = *TemporaryFolder::create("hone-tree");
  const fs::path programs = tree.path() / "libexec" / "hone";
  fs::create_directories(programs);
  fs::copy_file(SAYS_LEVEL, programs / "says_level");
  Process process;
  process.arguments = {(programs / "says_level").string(), "--folders"};
  EXPECT_THAT(PosixProcessRunner().run(process).value().out, Not(HasSubstr(tree.path().string())));
  const fs::path carried = (programs / HONE_CARRIED_LIBRARIES).lexically_normal();
  fs::create_directories(carried);
  EXPECT_THAT(PosixProcessRunner().run(process).value().out, testing::EndsWith("\n" + carried.string() + "\n"));
}

// With walls.
class Sandboxed : public AtLevel {};
INSTANTIATE_TEST_SUITE_P(Levels, Sandboxed, testing::Values("full", "unprivileged", "mounts", "landlock"), level_name);

// What holds at every level, the lowest too: limits, and that nothing survives.
class Contained : public AtLevel {};
INSTANTIATE_TEST_SUITE_P(Levels, Contained, testing::Values("full", "unprivileged", "mounts", "landlock", "limits"),
                         level_name);

TEST_P(Sandboxed, CannotUseNetwork) {
  expect_refused({"network"});
  expect_refused({"local-socket"});
}

TEST_P(Sandboxed, CannotReadFilesOutside) {
  const TemporaryFolder other = TemporaryFolder::create("hone-sandbox-other").value();
  std::filesystem::permissions(other.path(), std::filesystem::perms::all);
  ASSERT_TRUE(write_file_atomically(other.path() / "open-to-all", "x"));
  expect_refused({"read", other.path() / "open-to-all"});
  expect_refused({"read", "/etc/shadow"});
  expect_refused({"read", "/etc/passwd"});
  expect_refused({"read", "/proc/1/environ"});
  expect_refused({"read", fmt::format("/proc/{}/environ", ::getpid())});
  expect_refused({"read", "/dev/zero"});
}

TEST_P(Sandboxed, ReadsSystemFilesAndWritesItsFolder) {
  expect_done({"read", "/usr/include/stdio.h"});
  expect_done({"create", at("new")});
  EXPECT_TRUE(std::filesystem::exists(at("new")));
  expect_done({"maps"});
}

TEST_P(Sandboxed, CannotWriteOutside) {
  const TemporaryFolder other = TemporaryFolder::create("hone-sandbox-other").value();
  std::filesystem::permissions(other.path(), std::filesystem::perms::all);
  expect_refused({"create", other.path() / "new"});
  expect_refused({"create", "/usr/new"});
  EXPECT_TRUE(std::filesystem::is_empty(other.path()));
}

TEST_P(Sandboxed, CannotUseDangerousSystemCalls) {
  for (const char* name : {"trace", "namespace", "memory-file", "keys", "bpf", "ring"}) expect_refused({name});
  expect_refused({"mount", at("")});
  expect_refused({"root"});
  expect_refused({"shared-memory"});
}

TEST_P(Sandboxed, CannotSignalOtherProcesses) {
  expect_refused({"signal", std::to_string(::getpid())});
}

TEST_P(Sandboxed, MayForkAndExecOnlyIfCompiler) {
  for (const char* name : {"fork", "exec"}) {
    EXPECT_EQ(runner_.run(deed({name}, true)).value().code, 0) << name;
    EXPECT_EQ(runner_.run(deed({name}, false)).value().code, 1) << name;
  }
}

TEST_P(Sandboxed, MayStartThreadsOnlyIfAllowed) {
  expect_done({"thread"});
  Process process = deed({"thread"}, false);
  process.sandbox->threads = false;
  EXPECT_EQ(runner_.run(process).value().code, 1);
}

TEST_P(Contained, SeesMinimalEnvironment) {
  ::setenv("SOME_API_KEY", "hush", 1);
  const std::string seen = runner_.run(deed({"environment"}, false)).value().out;
  EXPECT_EQ(seen, fmt::format("HOME={0}\nLANG=C.UTF-8\nPATH=/usr/local/bin:/usr/bin:/bin\nTMPDIR={0}\n",
                              folder_.path().string()));
}

TEST_P(Contained, CannotExhaustProcessesByForkBomb) {
  if (::geteuid() == 0 && !level_.identity) GTEST_SKIP() << "the kernel counts no processes of root's";
  Process process = deed({"fork-bomb"}, true);
  process.sandbox->processes = 32;
  process.timeout = 300ms;
  process.nice = 19;
  EXPECT_TRUE(runner_.run(process).value().timed_out);
  EXPECT_TRUE(runner_.run(deed({"echo"}, true)).value().ok()) << "the machine can still run things";
}

TEST_P(Contained, CannotExceedAddressSpace) {
  Process process = deed({"memory"}, false);
  process.sandbox->address_space_bytes = 256u << 20;
  const Exit exit = runner_.run(process).value();
  EXPECT_EQ(exit.code, 1);
  EXPECT_THAT(exit.out, HasSubstr("Cannot allocate memory"));
}

// AddressSanitizer reserves terabytes, starts no thread and reads its own maps: the wall must let it.
TEST_P(Contained, RunsAddressSanitizer) {
  Process process = deed({}, false);
  process.arguments = {SANITIZED, "echo"};
  process.input = "through";
  process.sandbox->memory_bytes = 1u << 30;
  process.sandbox->threads = false;
  process.environment.emplace().emplace("ASAN_OPTIONS", "detect_leaks=0");
  EXPECT_EQ(runner_.run(process).value().out, "through");
  process.arguments = {SANITIZED, "overrun"};
  EXPECT_THAT(runner_.run(process).value().err, HasSubstr("heap-buffer-overflow"));
  process.arguments = {SANITIZED, "memory"};
  process.sandbox->memory_bytes = 200u << 20;
  EXPECT_TRUE(runner_.run(process).value().over_memory);
}

TEST_P(Contained, IsKilledIfItTouchesTooMuchMemory) {
  Process process = deed({"memory"}, false);
  process.sandbox->memory_bytes = 200u << 20;
  const Exit exit = runner_.run(process).value();
  EXPECT_TRUE(exit.over_memory);
  EXPECT_EQ(exit.signal, SIGKILL);
  EXPECT_FALSE(exit.ok());
}

TEST_P(Contained, IsFirstVictimOfOutOfMemoryKiller) {
  expect_done({"first-to-go"});
}

TEST_P(Contained, CannotExceedFileSize) {
  Process process = deed({"disk", at("big")}, false);
  process.sandbox->file_bytes = 4u << 20;
  const Exit exit = runner_.run(process).value();
  EXPECT_EQ(exit.code, 1);
  EXPECT_THAT(exit.out, HasSubstr("File too large"));
  EXPECT_LE(std::filesystem::file_size(at("big")), 4u << 20);
}

TEST_P(Contained, IsKilledIfItFillsDisk) {
  for (const char* way : {"files", "unlinked-files", "names", "folders"}) {
    Process process = deed({way, at("")}, true);
    process.sandbox->disk_bytes = 48u << 20;
    const Exit exit = runner_.run(process).value();
    EXPECT_TRUE(exit.over_disk) << way << ": " << exit.code << exit.out;
    EXPECT_FALSE(exit.ok());
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
      std::filesystem::remove_all(entry.path());
    }
  }
}

TEST_P(Contained, MayWriteBelowDiskLimit) {
  const Exit exit = runner_.run(deed({"disk", at("big")}, true)).value();
  EXPECT_TRUE(exit.ok()) << exit.out;
  EXPECT_EQ(std::filesystem::file_size(at("big")), 64u << 20);
}

TEST_P(Contained, CannotExceedProcessorTime) {
  Process process = deed({"burn"}, false);
  process.sandbox->cpu_seconds = 1;
  EXPECT_THAT(runner_.run(process).value().signal, AnyOf(SIGXCPU, SIGKILL));
}

TEST_P(Contained, LosesDaemonsAtTimeout) {
  Process process = deed({"daemon-and-stay", at("pid")}, true);
  process.timeout = 300ms;
  EXPECT_TRUE(runner_.run(process).value().timed_out);
  ASSERT_TRUE(std::filesystem::exists(at("pid")));
  EXPECT_TRUE(FileLock::try_acquire(at("pid.lock")).value().has_value());
}

TEST_P(Contained, DiesIfCallerIsKilled) {
  const pid_t user = ::fork();
  if (user == 0) {
    ::execl(RUNS_AND_WAITS, RUNS_AND_WAITS, "sandboxed", HOSTILE, "daemon-and-stay", at("pid").c_str(), nullptr);
    ::_exit(127);
  }
  for (int i = 0; i < 5000 && !std::filesystem::exists(at("pid")); ++i) std::this_thread::sleep_for(1ms);
  ASSERT_TRUE(std::filesystem::exists(at("pid")));
  ASSERT_FALSE(FileLock::try_acquire(at("pid.lock")).value().has_value());
  ::kill(user, SIGKILL);
  ::waitpid(user, nullptr, 0);
  bool gone = false;
  for (int i = 0; i < 5000 && !gone; ++i) {
    std::this_thread::sleep_for(1ms);
    gone = FileLock::try_acquire(at("pid.lock")).value().has_value();
  }
  EXPECT_TRUE(gone);
}

TEST_P(Sandboxed, CannotReadSecretOfCallerFromProc) {
  ::setenv("SOME_API_KEY", "hush", 1);
  Process process = deed({}, true);
  process.arguments = {"sh", "-c", "cat /proc/*/environ /proc/*/cmdline 2>/dev/null | tr '\\0' '\\n'"};
  EXPECT_THAT(runner_.run(process).value().out, Not(HasSubstr("hush")));
}

TEST_P(Contained, TalksThroughGivenDescriptor) {
  int pipe[2];
  ASSERT_EQ(::pipe2(pipe, O_CLOEXEC), 0);
  SpawnOptions options;
  options.arguments = {HOSTILE, "write-to", "7"};
  options.sandbox = deed({}, false).sandbox;
  options.descriptors = {{pipe[1], 7}};
  Child child = spawn(options).value();
  char text[8] = {};
  EXPECT_EQ(::read(pipe[0], text, sizeof text), 5);
  EXPECT_STREQ(text, "hello");
  EXPECT_EQ(child.wait(10s).value().code, 0);
  EXPECT_EQ(child.wait(0s).value().code, 0) << "the exit can be asked for again";
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST_P(Contained, HasPidAndIsKilledOnRequest) {
  SpawnOptions options;
  options.arguments = {HOSTILE, "sleep"};
  options.sandbox = deed({}, false).sandbox;
  Child child = spawn(options).value();
  ASSERT_EQ(::kill(child.pid(), 0), 0);
  clockid_t clock;
  EXPECT_EQ(::clock_getcpuclockid(child.pid(), &clock), 0);
  EXPECT_FALSE(child.wait(1ms).has_value());
  child.kill_tree();
  EXPECT_EQ(child.wait(10s).value().signal, SIGKILL);
  EXPECT_NE(::kill(child.pid(), 0), 0);
}

TEST_P(Contained, DiesWithItsChildObject) {
  SpawnOptions options;
  options.arguments = {HOSTILE, "ignore-signals"};
  options.sandbox = deed({}, false).sandbox;
  pid_t pid = 0;
  {
    const Child child = spawn(options).value();
    pid = child.pid();
    ASSERT_EQ(::kill(pid, 0), 0);
  }
  EXPECT_NE(::kill(pid, 0), 0);
}

TEST_P(Contained, RunsProgramInFolderClosedToItsIdentity) {
  const TemporaryFolder closed = TemporaryFolder::create("hone-sandbox-closed").value();
  std::filesystem::copy_file(HOSTILE, closed.path() / "program");
  Process process = deed({}, false);
  process.arguments = {closed.path() / "program", "echo"};
  process.input = "through";
  EXPECT_EQ(runner_.run(process).value().out, "through");
}

TEST_P(Contained, ReportsMissingProgram) {
  Process process = deed({}, false);
  process.arguments = {"/no/such/program"};
  EXPECT_THAT(runner_.run(process).error().message(), HasSubstr("there is no such program"));
}

}  // namespace
}  // namespace hone::os
