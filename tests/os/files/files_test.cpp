#include "tool/os/files/files.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tool/os/files/scratch_file.h"

namespace hone::os {
namespace {
namespace fs = std::filesystem;
using testing::HasSubstr;

struct Files : testing::Test {
  TemporaryFolder folder = TemporaryFolder::create("hone-files-test").value();
  fs::path at(const char* name) const { return folder.path() / name; }
  std::size_t entries() const {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()));
  }
};

TEST_F(Files, ReadBackWrittenZeroBytes) {
  const std::string content("a\0b\n\xff", 5);
  ASSERT_TRUE(write_file_atomically(at("f"), content));
  EXPECT_EQ(read_file(at("f")).value(), content);
  EXPECT_EQ(entries(), 1u);
}

TEST_F(Files, CreateParentFoldersAndReplaceOldContent) {
  ASSERT_TRUE(write_file_atomically(at("a/b/c"), "long old content"));
  ASSERT_TRUE(write_file_atomically(at("a/b/c"), "new"));
  EXPECT_EQ(read_file(at("a/b/c")).value(), "new");
}

TEST_F(Files, ReplaceLinkByScratchFile) {
  ASSERT_TRUE(write_scratch_file(at("a/target"), "kept"));
  fs::create_symlink(at("a/target"), at("a/link"));
  ASSERT_TRUE(write_scratch_file(at("a/link"), "new"));
  EXPECT_EQ(read_file(at("a/target")).value(), "kept");
  EXPECT_EQ(read_file(at("a/link")).value(), "new");
  EXPECT_FALSE(fs::is_symlink(at("a/link")));
}

TEST_F(Files, RefuseToReadPipeOrDevice) {
  ASSERT_EQ(::mkfifo(at("pipe").c_str(), 0600), 0);
  EXPECT_THAT(read_file(at("pipe")).error().message(), HasSubstr("no regular file"));
  fs::create_symlink("/dev/zero", at("zeros"));
  EXPECT_THAT(read_file(at("zeros")).error().message(), HasSubstr("no regular file"));
  EXPECT_EQ(read_stream("/dev/null").value(), "");
}

TEST_F(Files, WriteIntoDeviceAndDoNotReplaceIt) {
  fs::create_symlink("/dev/full", at("full"));
  EXPECT_THAT(write_stream(at("full"), "x").error().message(), HasSubstr("No space left"));
  EXPECT_TRUE(fs::is_character_file(at("full")));
  EXPECT_FALSE(write_stream(at("absent"), "x"));
}

TEST_F(Files, RefuseToReadTooLargeFile) {
  ASSERT_TRUE(write_file_atomically(at("f"), "12345"));
  EXPECT_EQ(read_file(at("f"), 5).value(), "12345");
  EXPECT_THAT(read_file(at("f"), 4).error().message(), HasSubstr("larger than 4 bytes"));
}

TEST_F(Files, ReadFileWithoutSizeToItsEnd) {
  EXPECT_THAT(read_file("/proc/self/status").value(), HasSubstr("Pid:"));
}

TEST_F(Files, ReportMissingFileByName) {
  const auto read = read_file(at("missing"));
  ASSERT_FALSE(read);
  EXPECT_THAT(read.error().message(), HasSubstr("missing: cannot read: No such file"));
}

TEST_F(Files, KeepOldContentAfterFailedWrite) {
  ASSERT_TRUE(write_file_atomically(at("f/inside"), "x"));
  ASSERT_FALSE(write_file_atomically(at("f"), "a folder stands there"));
  EXPECT_EQ(entries(), 1u);
  EXPECT_EQ(read_file(at("f/inside")).value(), "x");
}

TEST_F(Files, AreReplacedAtomically) {
  const std::string a(200'000, 'a'), b(100'000, 'b');
  ASSERT_TRUE(write_file_atomically(at("f"), a));
  std::jthread writer([&](std::stop_token stop) {
    for (int i = 0; !stop.stop_requested(); ++i) (void)write_file_atomically(at("f"), i % 2 ? a : b);
  });
  for (int i = 0; i < 200; ++i) {
    const std::string seen = read_file(at("f")).value();
    ASSERT_TRUE(seen == a || seen == b) << seen.size();
  }
}

TEST_F(Files, AppendLinesInOrderAndCloseTornLine) {
  ASSERT_TRUE(append_durably(at("journal"), "one"));
  ASSERT_TRUE(append_durably(at("journal"), "two\n"));
  std::ofstream(at("journal"), std::ios::app) << "tor";
  ASSERT_TRUE(append_durably(at("journal"), "three"));
  EXPECT_EQ(read_file(at("journal")).value(), "one\ntwo\ntor\nthree\n");
}

struct TemporaryFolderTest : Files {};

TEST_F(TemporaryFolderTest, RemovesEverythingInIt) {
  fs::path path;
  {
    const TemporaryFolder temporary = TemporaryFolder::create("hone-gone").value();
    path = temporary.path();
    ASSERT_TRUE(write_file_atomically(path / "a/b", "x"));
    ::chmod((path / "a").c_str(), 0);
    struct stat status {};
    ASSERT_EQ(::stat(path.c_str(), &status), 0);
    EXPECT_EQ(status.st_mode & 0777, 0700u);
  }
  EXPECT_FALSE(fs::exists(path));
}

TEST_F(TemporaryFolderTest, RemovesLeftoversOfKilledProcesses) {
  const auto create_and = [](bool die) {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto temporary = TemporaryFolder::create("hone-abandoned");
      if (die) ::kill(::getpid(), SIGKILL);
      ::_exit(temporary ? 0 : 1);
    }
    ::waitpid(child, nullptr, 0);
  };
  const auto left = [] {
    std::size_t count = 0;
    for (const auto& entry : fs::directory_iterator(fs::temp_directory_path())) {
      count += entry.path().filename().string().starts_with("hone-abandoned-");
    }
    return count;
  };
  create_and(true);
  EXPECT_EQ(left(), 1u);
  const TemporaryFolder alive = TemporaryFolder::create("hone-abandoned").value();
  EXPECT_EQ(left(), 1u) << "the abandoned one went";
  const auto others = TemporaryFolder::create("hone-abandoned").value();
  create_and(true);
  EXPECT_TRUE(fs::exists(alive.path()));
  EXPECT_TRUE(fs::exists(others.path()));
}

struct FileLockTest : Files {};

TEST_F(FileLockTest, IsExclusiveAndReleasedWithOwner) {
  {
    const FileLock lock = FileLock::acquire(at("lock")).value();
    EXPECT_FALSE(FileLock::try_acquire(at("lock")).value().has_value());
  }
  EXPECT_TRUE(FileLock::try_acquire(at("lock")).value().has_value());
}

TEST_F(FileLockTest, IsReleasedIfOwnerIsKilled) {
  int ready[2];
  ASSERT_EQ(::pipe(ready), 0);
  const pid_t holder = ::fork();
  if (holder == 0) {
    const auto lock = FileLock::acquire(at("lock"));
    (void)!::write(ready[1], "x", 1);
    ::pause();
  }
  char byte;
  ASSERT_EQ(::read(ready[0], &byte, 1), 1);
  EXPECT_FALSE(FileLock::try_acquire(at("lock")).value().has_value());
  ::kill(holder, SIGKILL);
  ::waitpid(holder, nullptr, 0);
  EXPECT_TRUE(FileLock::acquire(at("lock")));
}

}  // namespace
}  // namespace hone::os
