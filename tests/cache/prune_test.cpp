#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/stat.h>

#include "cache/store.h"
#include "tests/cache/folder.h"

namespace hone::cache {
namespace {

class Prune : public FolderTest {
 protected:
  fs::path user() const { return path("user"); }

  Digest put(char fill, int hours_unused) {
    const Digest digest = *store_.put_blob(std::string(1000, fill));
    age(user() / "cas" / digest, hours_unused);
    return digest;
  }

  void age(const fs::path& file, int hours) {
    const auto at = std::chrono::system_clock::to_time_t(options_.now) - hours * 3600;
    const timespec times[2] = {{at, 0}, {at, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }

  Store::Pruned prune(std::uintmax_t max_bytes) {
    options_.max_bytes = max_bytes;
    return store_.prune(0, options_).value();
  }

  Store::PruneOptions options_;
  Store store_{{{user()}}, warn()};
};

TEST_F(Prune, RemovesLeastRecentlyUsedUntilRestFits) {
  const Digest oldest = put('a', 30), old = put('b', 20), young = put('c', 10);
  const Store::Pruned pruned = prune(2000);
  EXPECT_EQ(pruned.files, 1u);
  EXPECT_EQ(pruned.bytes, 1000u);
  EXPECT_EQ(pruned.bytes_left, 2000u);
  EXPECT_FALSE(store_.blob(oldest));
  EXPECT_TRUE(store_.blob(old));
  EXPECT_TRUE(store_.blob(young));
}

TEST_F(Prune, CountsReadAsUse) {
  const Digest oldest = put('a', 30), old = put('b', 20);
  ASSERT_TRUE(store_.blob(oldest));
  prune(1000);
  EXPECT_TRUE(store_.blob(oldest));
  EXPECT_FALSE(store_.blob(old));
}

TEST_F(Prune, KeepsModificationTimeOnRead) {
  const Digest digest = put('a', 30);
  const auto before = fs::last_write_time(user() / "cas" / digest);
  ASSERT_TRUE(store_.blob(digest));
  EXPECT_EQ(fs::last_write_time(user() / "cas" / digest), before) << "build tools look at it";
}

TEST_F(Prune, RemovesOldRecords) {
  const Digest key = sha256("request");
  ASSERT_TRUE(store_.put_record(key, "{}"));
  age(user() / "ac" / key, 30);
  const Digest blob = put('a', 20);
  prune(1000);
  EXPECT_FALSE(store_.record(key));
  EXPECT_TRUE(store_.blob(blob));
}

TEST_F(Prune, RemovesCorruptAndStaleTemporaryFilesAlways) {
  const Digest kept = put('a', 1);
  write(user() / "cas" / (missing() + ".corrupt"), "x");
  write(user() / "cas" / ".left.0123.tmp", "of a killed writer");
  age(user() / "cas" / ".left.0123.tmp", 2);
  write(user() / "ac" / ".fresh.0123.tmp", "of a writer at work");
  write(user() / "cas" / "README", "not ours");
  EXPECT_EQ(prune(1'000'000).files, 2u);
  EXPECT_THAT(names(user() / "cas"), ::testing::UnorderedElementsAre("README", kept));
  EXPECT_THAT(names(user() / "ac"), ::testing::ElementsAre(".fresh.0123.tmp"));
}

TEST_F(Prune, EmptiesStoreAtZeroBytes) {
  put('a', 1), put('b', 2);
  EXPECT_EQ(prune(0).bytes_left, 0u);
  EXPECT_EQ(store_.stats()[0].blobs, 0u);
}

TEST_F(Prune, TreatsMissingFolderAsEmpty) {
  EXPECT_EQ(prune(0).files, 0u);
}

TEST_F(Prune, RefusesReadOnlyOrUnknownLevel) {
  put('a', 1);
  const Store reader({{user(), false}}, warn());
  EXPECT_FALSE(reader.prune(0, {}));
  EXPECT_FALSE(reader.prune(7, {}));
}

TEST_F(Prune, StatsCountOwnFilesOnly) {
  put('a', 1), put('b', 1);
  ASSERT_TRUE(store_.put_record(sha256("r"), "{}"));
  write(user() / "cas" / (missing() + ".corrupt"), "12345");
  write(user() / "cas" / "README", "not ours");
  const Store::Stats stats = store_.stats()[0];
  EXPECT_EQ(stats.blobs, 2u);
  EXPECT_EQ(stats.records, 1u);
  EXPECT_EQ(stats.corrupt, 1u);
  EXPECT_EQ(stats.bytes, 2007u);
}

}  // namespace
}  // namespace hone::cache
