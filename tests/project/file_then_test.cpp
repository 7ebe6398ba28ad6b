#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tool/os/files/files.h"
#include "tool/project/file_then.h"

namespace hone::project {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class FileThenTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!git("init -q")) GTEST_SKIP() << "git is not here";
    fs::create_directories(folder() / "sub");
  }
  fs::path folder() const { return folder_.path(); }
  void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(os::write_file_atomically(folder() / name, text));
  }
  bool git(const std::string& words) const {
    const std::string line = "git -c user.name=n -c user.email=e -c init.defaultBranch=main -C '" + folder().string() +
                             "' " + words + " >/dev/null 2>&1";
    return std::system(line.c_str()) == 0;
  }
  void commit(const std::string& name, const std::string& text) {
    write(name, text);
    ASSERT_TRUE(git("add -A") && git("commit -q -m m"));
  }
  Result<FileThen> then(const std::string& name, const std::string& revision) {
    return file_then(runner_, folder() / name, revision);
  }
  os::PosixProcessRunner runner_;

 private:
  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-file-then");
};

TEST_F(FileThenTest, IsReadFromItsRevision) {
  commit("sub/hone.lock", "one\n");
  commit("sub/hone.lock", "two\n");
  write("sub/hone.lock", "three\n");
  const auto old = then("sub/hone.lock", "HEAD~1");
  ASSERT_TRUE(old) << old.error().message();
  EXPECT_EQ(old->text, "one\n");
  EXPECT_EQ(old->path, "sub/hone.lock");
  EXPECT_EQ(path_in_repository(runner_, folder() / "sub/hone.lock"), "sub/hone.lock");
}

TEST_F(FileThenTest, IsReadWhereItsNameIsOdd) {
  const std::string name = "-- *[x] \"q\" ü.lock";
  commit(name, "one\n");
  fs::remove(folder() / name);
  const auto old = then(name, "HEAD");
  ASSERT_TRUE(old) << old.error().message();
  EXPECT_EQ(old->text, "one\n");
}

TEST_F(FileThenTest, IsNotThereBeforeItWasCommitted) {
  commit("a", "a\n");
  write("hone.lock", "new\n");
  const auto old = then("hone.lock", "main");
  ASSERT_TRUE(old) << old.error().message();
  EXPECT_EQ(old->text, std::nullopt);
}

TEST_F(FileThenTest, FollowsALink) {
  commit("sub/real.lock", "one\n");
  fs::create_symlink("sub/real.lock", folder() / "hone.lock");
  const auto old = then("hone.lock", "HEAD");
  ASSERT_TRUE(old) << old.error().message();
  EXPECT_EQ(old->text, "one\n");
}

TEST_F(FileThenTest, NamesRevisionThatGitDoesNotKnow) {
  commit("hone.lock", "one\n");
  for (const std::string revision : {"gone", "", "--help", "--output=x", "HEAD:hone.lock"}) {
    const auto old = then("hone.lock", revision);
    ASSERT_FALSE(old) << revision;
    EXPECT_THAT(old.error().message(), HasSubstr("git knows no revision '" + revision + "'"));
    EXPECT_THAT(old.error().message(), HasSubstr("git fetch origin"));
  }
}

TEST(FileThenOutside, SaysThatThereIsNoRepository) {
  const os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-file-then");
  os::PosixProcessRunner runner;
  const auto old = file_then(runner, folder.path() / "hone.lock", "HEAD");
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().message(), HasSubstr("this folder is in no git repository; leave --since out"));
}

class NoGit final : public os::ProcessRunner {
  Result<os::Exit> run(const os::Process&) override { return failure("there is no such program", "git"); }
};

TEST(FileThenOutside, SaysThatGitIsMissing) {
  NoGit runner;
  const auto old = file_then(runner, "hone.lock", "HEAD");
  ASSERT_FALSE(old);
  EXPECT_THAT(old.error().message(), HasSubstr("install git, or leave --since out"));
}

}  // namespace
}  // namespace hone::project
