// The lock file among processes: nothing is lost, whoever writes and whoever dies.
#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include "cache/lock_file.h"
#include "tests/cache/folder.h"

namespace hone::cache {
namespace {

class LockProcesses : public FolderTest {
 protected:
  fs::path lock() const { return path("hone.lock"); }

  bool add(const std::string& name) const {
    return LockFile::update(lock(),
                            [&](LockFile& file) {
                              file.put({name, "src/a.cpp", sha256(name), "x86_64", sha256("v"), 2, 1.5, 2.5, "cpu"});
                            })
        .has_value();
  }
};

TEST_F(LockProcesses, KeepEntriesOfTwoConcurrentWriters) {
  const auto add_all = [this](const std::string& prefix) {
    return spawn([=, this] {
      for (int i = 0; i < 30; ++i)
        if (!add(prefix + std::to_string(i))) return false;
      return true;
    });
  };
  const pid_t one = add_all("one"), other = add_all("other");
  EXPECT_TRUE(succeeded(one));
  EXPECT_TRUE(succeeded(other));
  EXPECT_EQ(LockFile::read(lock())->entries.size(), 60u);
}

// Others lock folders for reasons of their own: systemd-tmpfiles does, and so does a temporary folder that is in use.
TEST_F(LockProcesses, IgnoreForeignLockOnFolder) {
  const int folder = ::open(path(".").c_str(), O_RDONLY | O_DIRECTORY);
  ::flock(folder, LOCK_EX | LOCK_NB);
  EXPECT_TRUE(add("blur"));
  ::close(folder);
}

TEST_F(LockProcesses, KeepAllEntriesWhenCreatingConcurrently) {
  for (int round = 0; round < 5; ++round) {
    fs::remove(lock());
    std::vector<pid_t> writers;
    for (int i = 0; i < 6; ++i) writers.push_back(spawn([&] { return add("k" + std::to_string(i)); }));
    for (const pid_t writer : writers) EXPECT_TRUE(succeeded(writer));
    ASSERT_EQ(LockFile::read(lock())->entries.size(), 6u);
  }
}

TEST_F(LockProcesses, ExcludeEachOtherAcrossSymbolicLink) {
  fs::create_directories(path("elsewhere"));
  fs::create_symlink(lock(), path("elsewhere/link.lock"));
  const pid_t other = spawn([this] {
    for (int i = 0; i < 30; ++i)
      if (!LockFile::update(path("elsewhere/link.lock"), [&](LockFile& file) {
            file.put({"link" + std::to_string(i), "a.cpp", sha256("k" + std::to_string(i)), "x86_64", {}, 1, 1, 1, ""});
          }))
        return false;
    return true;
  });
  for (int i = 0; i < 30; ++i) EXPECT_TRUE(add("direct" + std::to_string(i)));
  EXPECT_TRUE(succeeded(other));
  EXPECT_EQ(LockFile::read(lock())->entries.size(), 60u);
}

TEST_F(LockProcesses, LeaveWholeFileAndNoLockWhenKilled) {
  std::size_t entries = 0;
  for (int round = 0; round < 12; ++round) {
    int added[2];
    ASSERT_EQ(::pipe(added), 0);
    const pid_t writer = spawn([&] {
      for (int i = 0;; ++i)
        if (!add("k" + std::to_string(round) + "." + std::to_string(i)) || ::write(added[1], "x", 1) != 1) return false;
    });
    char byte = 0;
    for (int i = 0; i <= round % 4; ++i) ASSERT_EQ(::read(added[0], &byte, 1), 1);
    ::kill(writer, SIGKILL);
    EXPECT_FALSE(succeeded(writer));
    ::close(added[0]), ::close(added[1]);
    const auto file = LockFile::read(lock());
    ASSERT_TRUE(file) << file.error().message();
    ASSERT_GT(file->entries.size(), entries) << "what a writer was told is written stays written";
    entries = file->entries.size();
  }
  EXPECT_TRUE(add("after"));
}

}  // namespace
}  // namespace hone::cache
