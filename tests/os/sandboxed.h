// Runs a deed of os_hostile or os_escapes in the sandbox, at the level that the test is for.
#pragma once

#include <cstdlib>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "tool/os/files/files.h"
#include "tool/os/process/process_runner.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

struct Setting {
  explicit Setting(const std::string& level) { ::setenv("HONE_SANDBOX", level.c_str(), 1); }
  ~Setting() { ::unsetenv("HONE_SANDBOX"); }
};

class AtLevel : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override {
    if (!probe_sandbox()) GTEST_SKIP() << "no sandbox level '" << GetParam() << "' on this machine";
    level_ = probe_sandbox().value();
    const SandboxIdentity identity = sandbox_identity(level_);
    ASSERT_TRUE(folder_.give_to(identity.uid, identity.gid));
  }

  // As a compiler may (`exec`) or as a runner may.
  Process program(const char* path, std::vector<std::string> words, bool exec) const {
    Process process;
    process.arguments = std::move(words);
    process.arguments.insert(process.arguments.begin(), path);
    process.timeout = std::chrono::seconds(30);
    process.sandbox.emplace();
    process.sandbox->readable = system_folders();
    process.sandbox->writable = {folder_.path()};
    process.sandbox->exec = exec;
    return process;
  }
  Process deed(std::vector<std::string> words, bool exec) const { return program(HOSTILE, std::move(words), exec); }
  Process escape(std::vector<std::string> words, bool exec) const { return program(ESCAPES, std::move(words), exec); }

  void expect_refused(const std::vector<std::string>& words) {
    for (const bool exec : {true, false}) expect_refused(deed(words, exec), words[0]);
  }
  void expect_no_escape(const std::vector<std::string>& words) {
    for (const bool exec : {true, false}) expect_refused(escape(words, exec), words[0]);
  }
  void expect_refused(const Process& process, const std::string& name) {
    const Exit exit = runner_.run(process).value();
    EXPECT_NE(exit.code, 0) << name << (process.sandbox->exec ? " by a compiler" : " by a runner");
    EXPECT_EQ(exit.signal, 0) << name;
  }
  void expect_done(const std::vector<std::string>& words) {
    for (const bool exec : {true, false}) {
      const Exit exit = runner_.run(deed(words, exec)).value();
      EXPECT_EQ(exit.code, 0) << words[0] << ": " << exit.out;
    }
  }
  std::string at(const char* name) const { return (folder_.path() / name).string(); }

  Setting setting_{GetParam()};
  SandboxLevel level_;
  TemporaryFolder folder_ = TemporaryFolder::create("hone-sandbox-test").value();
  PosixProcessRunner runner_;
};

inline std::string level_name(const testing::TestParamInfo<const char*>& info) {
  return info.param;
}

}  // namespace hone::os
