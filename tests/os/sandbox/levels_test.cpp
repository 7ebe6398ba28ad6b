// Which level is taken where, and that the walls stand for an ordinary user as for root.
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/os/sandboxed.h"

namespace hone::os {
namespace {
using namespace std::chrono_literals;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(SandboxLevels, RejectUnknownNameAndListKnownOnes) {
  for (const char* word : {"strong", "require:strong", "require:", "Full"}) {
    const Setting setting(word);
    EXPECT_THAT(probe_sandbox().error().message(),
                HasSubstr(fmt::format("'{}'; say full, unprivileged, mounts, landlock or limits", word)));
  }
}

TEST(SandboxLevels, AlwaysOfferLowestLevel) {
  const Setting setting("require:limits");
  EXPECT_TRUE(probe_sandbox());
}

TEST(SandboxLevels, AllowWeakerLevel) {
  const Setting setting("limits");
  EXPECT_EQ(probe_sandbox().value().name, "limits");
  EXPECT_EQ(describe(probe_sandbox().value()), "limits");
}

TEST(SandboxLevels, TakeBestLevelWithoutSetting) {
  const SandboxLevel best = probe_sandbox().value();
  const Setting setting("require:" + best.name);
  EXPECT_EQ(probe_sandbox().value().name, best.name);
}

// What a machine without these system calls says, asked in a process of its own.
std::string without(std::vector<std::string> calls, const char* setting = "") {
  const Setting set(setting);
  Process process;
  process.arguments = std::move(calls);
  process.arguments.insert(process.arguments.begin(), SAYS_LEVEL);
  return PosixProcessRunner().run(process).value().out;
}

class OnLesserMachines : public testing::Test {
 protected:
  void SetUp() override {
    for (const char* name : {"mounts", "landlock"}) {
      const Setting setting(name);
      if (!probe_sandbox()) GTEST_SKIP() << "this machine itself has no " << name;
    }
  }
  const bool root_ = ::geteuid() == 0;
};

TEST_F(OnLesserMachines, OwnFileSystemReplacesLandlock) {
  const std::string said = without({"landlock_create_ruleset"});
  EXPECT_THAT(said, StartsWith(root_ ? "mounts: another user, namespaces, a file system of its own, seccomp, limits\n"
                                     : "mounts: user namespaces, a file system of its own, seccomp, limits\n"));
  EXPECT_THAT(said, HasSubstr("no Landlock: needs Linux 5.13 with 'landlock' in its lsm= list; a file system"));
}

TEST_F(OnLesserMachines, LandlockWorksWithoutNamespaces) {
  const std::string said = without({"mount"});
  EXPECT_THAT(
      said, StartsWith(root_ ? "landlock: another user, Landlock, seccomp, limits\n" : "landlock: Landlock, seccomp"));
  EXPECT_THAT(said, HasSubstr("no namespaces: need root with CAP_SYS_ADMIN, or user namespaces ("));
}

TEST_F(OnLesserMachines, LimitsRemainWithoutNamespacesAndLandlock) {
  EXPECT_THAT(without({"mount", "landlock_create_ruleset"}), StartsWith("limits: "));
}

TEST_F(OnLesserMachines, MissingRequiredLevelIsReportedWithBestOne) {
  EXPECT_THAT(without({"mount", "landlock_create_ruleset"}, "require:landlock"),
              HasSubstr("the sandbox level 'landlock' does not work on this machine; the best here is 'limits'"));
  EXPECT_THAT(without({"mount"}, "require:landlock"), StartsWith("landlock: "));
  EXPECT_THAT(without({"mount"}, "unprivileged"), HasSubstr("the sandbox level 'unprivileged' does not work"));
}

bool others_may_run(std::filesystem::path path) {
  struct stat status {};
  for (; ::stat(path.c_str(), &status) == 0 && (status.st_mode & S_IXOTH) != 0; path = path.parent_path()) {
    if (path == path.root_path()) return true;
  }
  return false;
}

TEST(Walls, StandForUnprivilegedUser) {
  if (::geteuid() != 0) GTEST_SKIP() << "this is one";
  const auto self = std::filesystem::read_symlink("/proc/self/exe");
  if (!others_may_run(self)) GTEST_SKIP() << "an ordinary user may not run " << self;
  Process process;
  process.arguments = {
      "setpriv",   "--reuid=1",
      "--regid=1", "--clear-groups",
      self,        "--gtest_filter=*Sandboxed.*:*Escapes.*:*OnLesser*:*LosesDaemons*:*CallerIsKilled*:*ForkBomb*"};
  process.directory = "/";
  process.timeout = 120s;
  const Exit exit = PosixProcessRunner().run(process).value();
  EXPECT_EQ(exit.code, 0) << exit.out << exit.err;
  EXPECT_THAT(exit.out, HasSubstr("OK ] Levels/Escapes.CannotReachMemoryOfCaller/unprivileged"));
}

}  // namespace
}  // namespace hone::os
