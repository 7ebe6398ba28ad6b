// The ways out of the sandbox that generated code is known to try, each at each level with walls.
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstddef>
#include <cstring>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/os/sandboxed.h"
#include "tool/os/process/child.h"

namespace hone::os {
namespace {
using namespace std::chrono_literals;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

class Escapes : public AtLevel {
 protected:
  const std::string ours_ = std::to_string(::getpid());
};

INSTANTIATE_TEST_SUITE_P(Levels, Escapes, testing::Values("full", "unprivileged", "mounts", "landlock"), level_name);

TEST_P(Escapes, CannotMakeOrEnterNamespace) {
  for (const char* name : {"clone-namespace", "clone3-namespace", "enter-namespace"}) expect_no_escape({name});
}

TEST_P(Escapes, CannotReachMemoryOfCaller) {
  for (const char* name : {"read-memory", "write-memory", "open-memory", "attach", "open-process"}) {
    expect_no_escape({name, ours_});
  }
}

TEST_P(Escapes, CannotSignalOrSlowDownCaller) {
  for (const char* name : {"signal", "limit-other", "pin-other", "renice-other"}) expect_no_escape({name, ours_});
  expect_refused(escape({"signal-by-descriptor", ours_}, false), "signal-by-descriptor");
}

TEST_P(Escapes, CannotRaisePriorityOrLimit) {
  for (const char* name : {"raise-priority", "raise-limit"}) expect_no_escape({name});
}

TEST_P(Escapes, CannotUseRareSystemCalls) {
  for (const char* name : {"personality", "events", "faults", "keyring"}) expect_no_escape({name});
}

TEST_P(Escapes, CannotSetTimerInRunner) {
  expect_refused(escape({"timer"}, false), "timer");
}

TEST_P(Escapes, CannotLeaveSharedObjects) {
  expect_no_escape({"shared-objects"});
  EXPECT_NE(::access("/dev/shm/left", F_OK), 0);
}

TEST_P(Escapes, CannotConnectToAbstractSocket) {
  const std::string name = "hone-test-" + ours_;
  const Descriptor listener(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  std::memcpy(address.sun_path + 1, name.data(), name.size());
  const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + 1 + name.size());
  ASSERT_EQ(::bind(listener.get(), reinterpret_cast<sockaddr*>(&address), size), 0);
  ASSERT_EQ(::listen(listener.get(), 1), 0);
  expect_no_escape({"abstract-socket", name});
}

// A terminal on stdin, as where a judge inherits the user's.
TEST_P(Escapes, CannotTypeOnTerminal) {
  const Descriptor terminal(::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_EQ(::grantpt(terminal.get()), 0);
  ASSERT_EQ(::unlockpt(terminal.get()), 0);
  const Descriptor end(::open(::ptsname(terminal.get()), O_RDWR | O_NOCTTY | O_CLOEXEC));
  ASSERT_TRUE(end);
  for (const bool exec : {true, false}) {
    SpawnOptions options;
    options.arguments = {ESCAPES, "terminal"};
    options.sandbox = escape({}, exec).sandbox;
    options.descriptors = {{end.get(), 0}};
    EXPECT_EQ(spawn(options).value().wait(30s).value().code, 1);
  }
}

TEST_P(Escapes, CannotUseSystemCallsOfOtherArchitecture) {
  for (const bool exec : {true, false}) {
    for (const char* name : {"other-table", "32-bit-table"}) {
      const Exit exit = runner_.run(escape({name}, exec)).value();
      EXPECT_THAT(exit.code, AnyOf(1, 128 + SIGSYS, 128 + SIGSEGV)) << name;
    }
  }
}

TEST_P(Escapes, CannotListProcessesOfHost) {
  for (const bool exec : {true, false}) {
    const Exit exit = runner_.run(escape({"processes"}, exec)).value();
    EXPECT_THAT(exit.out, AnyOf("1\n" /* its own supervisor */, "Permission denied\n"));
  }
}

// Everything that can be opened, looked through for a secret of the caller's: its environment, its files, its memory.
TEST_P(Escapes, CannotFindSecretOfCaller) {
  const std::string secret = fmt::format("hush-{:x}", std::chrono::steady_clock::now().time_since_epoch().count());
  ::setenv("SOME_API_KEY", secret.c_str(), 1);
  ::setenv("HARMLESS_NAME", secret.c_str(), 1);
  const TemporaryFolder other = TemporaryFolder::create("hone-sandbox-other").value();
  ASSERT_TRUE(write_file_atomically(other.path() / "key", secret));
  std::filesystem::permissions(other.path(), std::filesystem::perms::all);
  const std::string looks =
      "{ env; set; cat /proc/self/environ /proc/1/environ /proc/$PPID/environ /proc/*/environ /proc/*/cmdline "
      "/proc/*/task/*/environ; timeout 20 find / -xdev \\( -path /usr -o -path /proc -o -path /sys -o -path /dev \\) "
      "-prune -o "
      "-type f -size -64k -readable -exec cat {} +; } 2>/dev/null | tr '\\0' '\\n'";
  const Exit seen = runner_.run(program("/bin/sh", {"-c", looks}, true)).value();
  ::unsetenv("HARMLESS_NAME");
  EXPECT_THAT(seen.out, HasSubstr("PATH="));
  EXPECT_THAT(seen.out, Not(HasSubstr(secret)));
}

TEST_P(Escapes, DoNotInheritDescriptors) {
  const int leaky = ::open("/etc/passwd", O_RDONLY);  // without close-on-exec
  for (const bool exec : {true, false}) EXPECT_EQ(runner_.run(deed({"descriptors"}, exec)).value().out, "0 1 2 ");
  ::close(leaky);
}

// One sandbox's bomb takes no place from another's processes.
TEST_P(Escapes, CannotExhaustProcessesOfOtherSandboxesByForkBomb) {
  if (::geteuid() == 0 && !level_.identity) GTEST_SKIP() << "the kernel counts no processes of root's";
  std::stop_source stop;
  Process bomb = deed({"fork-bomb"}, true);
  bomb.sandbox->processes = 32;
  bomb.nice = 19;
  bomb.stop = stop.get_token();
  std::jthread bombing([&] { EXPECT_TRUE(runner_.run(bomb).value().canceled); });
  for (int run = 0; run < 5; ++run) EXPECT_EQ(runner_.run(deed({"fork"}, true)).value().code, 0);
  stop.request_stop();
}

}  // namespace
}  // namespace hone::os
