// Whatever befalls the folders, a read gives the right bytes or a miss, and a write says what it could not do.
#include <gmock/gmock.h>
#include <sys/mount.h>

#include "cache/store.h"
#include "tests/cache/folder.h"

namespace hone::cache {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class StoreTrouble : public FolderTest {
 protected:
  fs::path project() const { return path("project"); }
  fs::path user() const { return path("user"); }
  const Digest key_ = sha256("a request");
};

TEST_F(StoreTrouble, SetsAsideTamperedBlobWithWarning) {
  Store store({{project()}}, warn());
  const Digest digest = *store.put_blob("void f() { right(); }");
  write(project() / "cas" / digest, "void f() { wrong(); }");
  EXPECT_EQ(store.blob(digest), std::nullopt);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("bytes do not have the digest")));
  EXPECT_THAT(names(project() / "cas"), ElementsAre(digest + ".corrupt"));
  EXPECT_EQ(store.blob(digest), std::nullopt);
  EXPECT_EQ(warnings_.size(), 1u) << "once";
}

TEST_F(StoreTrouble, ReadsTamperedBlobFromNextLevel) {
  Store store({{project()}, {user()}}, warn());
  const Digest digest = *store.put_blob("variant");
  write(project() / "cas" / digest, "");
  EXPECT_EQ(store.blob(digest), "variant");
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(StoreTrouble, RepairsTamperedBlobFromNextLevel) {
  Store store({{project()}, {user()}}, warn());
  const Digest digest = *store.put_blob("variant");
  write(project() / "cas" / digest, "varian");
  EXPECT_EQ(store.blob(digest), "variant");
  EXPECT_EQ(read(project() / "cas" / digest), "variant");
  EXPECT_THAT(names(project() / "cas"), ElementsAre(digest)) << "nothing is set aside";
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("is repaired")));
}

TEST_F(StoreTrouble, RepairsTamperedBlobOnPut) {
  Store store({{project()}}, warn());
  const Digest digest = *store.put_blob("variant");
  write(project() / "cas" / digest, "varian");
  ASSERT_TRUE(store.put_blob("variant"));
  EXPECT_EQ(store.blob(digest), "variant");
}

TEST_F(StoreTrouble, SetsAsideTruncatedRecord) {
  Store store({{project()}}, warn());
  const std::string json = R"({"variant": "abc", "samples": [1.0, 2.0]})";
  for (std::size_t cut = 0; cut < json.size(); ++cut) {
    write(project() / "ac" / key_, json.substr(0, cut));
    EXPECT_EQ(store.record(key_), std::nullopt) << cut;
  }
  EXPECT_THAT(names(project() / "ac"), ElementsAre(key_ + ".corrupt"));
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("not one whole JSON object")));
}

TEST_F(StoreTrouble, ReportsOnceWhenCorruptEntryMustStay) {
  const Digest digest = sha256("variant");
  write(project() / "cas" / digest, "tampered");
  const Store store({{project(), false}}, warn());
  EXPECT_EQ(store.blob(digest), std::nullopt);
  EXPECT_EQ(store.blob(digest), std::nullopt);
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("left out")));
  EXPECT_TRUE(fs::exists(project() / "cas" / digest));
}

TEST_F(StoreTrouble, MissesWhenBlobIsFolderOrPipe) {
  const Digest folder = sha256("folder"), pipe = sha256("pipe");
  fs::create_directories(project() / "cas" / folder);
  ASSERT_EQ(::mkfifo((project() / "cas" / pipe).c_str(), 0600), 0);
  const Store store({{project(), false}}, warn());
  EXPECT_EQ(store.blob(folder), std::nullopt);
  EXPECT_EQ(store.blob(pipe), std::nullopt) << "and it does not wait for the pipe";
  EXPECT_EQ(warnings_.size(), 2u);
}

// Under a regular file nothing can be created, not even by root.
TEST_F(StoreTrouble, WarnsWhenOneLevelIsUnwritable) {
  write(path("file"), "");
  Store store({{path("file") / "cache"}, {user()}}, warn());
  const auto digest = store.put_blob("variant");
  ASSERT_TRUE(digest) << digest.error().message();
  EXPECT_EQ(store.blob(*digest), "variant");
  EXPECT_THAT(warnings_, ElementsAre(HasSubstr("the cache cannot be written")));
  ASSERT_TRUE(store.put_record(key_, "{}"));
}

TEST_F(StoreTrouble, FailsWhenNoLevelIsWritable) {
  write(path("file"), "");
  Store store({{path("file") / "cache"}, {"/proc/hone"}}, warn());
  const auto digest = store.put_blob("variant");
  ASSERT_FALSE(digest);
  EXPECT_THAT(digest.error().message(), HasSubstr("the cache cannot be written"));
  EXPECT_FALSE(store.put_record(key_, "{}"));
  EXPECT_FALSE(Store({}, warn()).put_blob("variant"));
  EXPECT_FALSE(Store({{user(), false}}, warn()).put_blob("variant"));
}

// A file system of 64 KiB, where this machine lets us mount one.
class TinyFileSystem : public StoreTrouble {
 protected:
  void SetUp() override {
    fs::create_directories(path("tiny"));
    if (::mount("tmpfs", path("tiny").c_str(), "tmpfs", 0, "size=64k") != 0)
      GTEST_SKIP() << "mounting is not permitted here: a full disk is not tested";
    mounted_ = true;
  }
  void TearDown() override {
    if (mounted_) ::umount2(path("tiny").c_str(), MNT_DETACH);
  }
  void make_read_only() { ASSERT_EQ(::mount("", path("tiny").c_str(), "", MS_REMOUNT | MS_RDONLY, ""), 0); }

 private:
  bool mounted_ = false;
};

TEST_F(TinyFileSystem, WarnsAndLeavesWholeFilesWhenDiskIsFull) {
  Store store({{path("tiny")}, {user()}}, warn());
  std::vector<Digest> digests;
  for (int i = 0; i < 12; ++i)
    digests.push_back(store.put_blob(std::string(10'000, static_cast<char>('a' + i))).value());
  ASSERT_FALSE(warnings_.empty());
  EXPECT_THAT(warnings_.front(), HasSubstr("free some disk space"));
  const Store tiny({{path("tiny"), false}}, warn());
  warnings_.clear();
  for (const Digest& digest : digests) {
    tiny.blob(digest);
    EXPECT_TRUE(store.blob(digest));
  }
  EXPECT_THAT(warnings_, IsEmpty()) << "nothing half-written";
  EXPECT_EQ(tiny.stats()[0].temporaries, 0u);
}

TEST_F(TinyFileSystem, ReadsButDoesNotWriteReadOnlyDisk) {
  const Digest before = *Store({{path("tiny")}}, warn()).put_blob("before");
  make_read_only();
  Store store({{path("tiny")}, {user()}}, warn());
  EXPECT_EQ(store.blob(before), "before");
  EXPECT_THAT(warnings_, IsEmpty());
  ASSERT_TRUE(store.put_blob("after"));
  EXPECT_EQ(warnings_.size(), 1u);
}

TEST_F(StoreTrouble, AllowsTwoProcessesToWriteSameEntries) {
  const auto write_all = [this] {
    Store store({{project()}}, {});
    for (int i = 0; i < 40; ++i)
      if (!store.put_blob("variant " + std::to_string(i)) || !store.put_record(sha256(std::to_string(i)), "{}"))
        return false;
    return true;
  };
  const pid_t one = spawn(write_all), other = spawn(write_all);
  EXPECT_TRUE(succeeded(one));
  EXPECT_TRUE(succeeded(other));
  const Store store({{project()}}, warn());
  EXPECT_THAT(store.verify(), IsEmpty());
  EXPECT_EQ(store.stats()[0].blobs, 40u);
  EXPECT_EQ(store.stats()[0].temporaries, 0u);
}

TEST_F(StoreTrouble, LeavesWholeFilesWhenWriterIsKilled) {
  for (int round = 0; round < 12; ++round) {
    int started[2];
    ASSERT_EQ(::pipe(started), 0);
    const pid_t writer = spawn([&] {
      Store store({{project()}}, {});
      for (int i = 0;; ++i) {
        const std::string bytes(100'000 + round, static_cast<char>('a' + i % 26));
        if (!store.put_blob(bytes) || !store.put_record(sha256("same"), "{\"bytes\": \"" + bytes + "\"}")) return false;
        fs::remove(project() / "cas" / sha256(bytes));  // so that the next turn writes it again
        if (i == round % 7 && ::write(started[1], "x", 1) != 1) return false;
      }
    });
    char byte = 0;
    ASSERT_EQ(::read(started[0], &byte, 1), 1);
    ::usleep(static_cast<useconds_t>(round * 137 % 1000));  // somewhere else in the loop each round
    ::kill(writer, SIGKILL);
    EXPECT_FALSE(succeeded(writer));
    ::close(started[0]), ::close(started[1]);
    const Store store({{project()}}, warn());
    ASSERT_THAT(store.verify(), IsEmpty());
    ASSERT_TRUE(store.record(sha256("same")));
  }
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(StoreTrouble, ListsCorruptEntriesOnVerify) {
  Store store({{project()}, {user(), false}}, warn());
  const Digest good = *store.put_blob("good"), bad = *store.put_blob("bad");
  write(project() / "cas" / bad, "worse");
  write(user() / "ac" / key_, "{");
  write(project() / "cas" / "README", "not ours");
  std::vector<fs::path> paths;
  for (const Store::Fault& fault : store.verify()) paths.push_back(fault.path);
  EXPECT_THAT(paths, ElementsAre(project() / "cas" / bad, user() / "ac" / key_));
  EXPECT_TRUE(fs::exists(project() / "cas" / (bad + ".corrupt")));
  EXPECT_TRUE(fs::exists(user() / "ac" / key_)) << "a level that is only read stays as it is";
  EXPECT_EQ(store.blob(good), "good");
}

}  // namespace
}  // namespace hone::cache
