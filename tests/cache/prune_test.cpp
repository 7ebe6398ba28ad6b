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
    const auto at = std::chrono::system_clock::to_time_t(now_) - hours * 3600;
    const timespec times[2] = {{at, 0}, {at, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, file.c_str(), times, 0), 0);
  }

  Store::Pruned prune(std::uintmax_t max_bytes) {
    options_.max_bytes = max_bytes;
    return store_.prune(0, options_).value();
  }

  const std::chrono::system_clock::time_point now_ = std::chrono::system_clock::now();
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

// A clock that was wrong, or is now: 1970, or years ahead.
constexpr int kIn1970 = 24 * 365 * 60, kAhead = -24 * 365 * 12;

TEST_F(Prune, CountsTimeAheadAsUseNowAndAgesFromThere) {
  const Digest ahead = put('a', kAhead), old = put('b', 20), young = put('c', 10);
  prune(2000);
  EXPECT_FALSE(store_.blob(old)) << "what is known to be unused goes first";
  put('d', 5);
  options_.now = std::chrono::system_clock::now() + std::chrono::hours(24 * 30);
  age(user() / "cas" / young, -24 * 29);
  prune(1000);
  EXPECT_THAT(names(user() / "cas"), ::testing::Not(::testing::Contains(ahead))) << "it has aged for a month";
}

TEST_F(Prune, RemovesWhatIsFrom1970First) {
  const Digest young = put('a', 1), epoch = put('b', kIn1970), old = put('c', 1000);
  prune(2000);
  EXPECT_THAT(names(user() / "cas"), ::testing::UnorderedElementsAre(young, old));
}

TEST_F(Prune, OrdersByAccessWhereChangeIsAhead) {
  const Digest read_lately = put('a', kAhead), read_long_ago = put('b', kAhead), old = put('c', 20);
  const auto accessed = [&](const Digest& digest, int hours) {
    const timespec times[2] = {{std::chrono::system_clock::to_time_t(now_) - hours * 3600, 0}, {0, UTIME_OMIT}};
    ASSERT_EQ(::utimensat(AT_FDCWD, (user() / "cas" / digest).c_str(), times, 0), 0);
  };
  accessed(read_lately, 1), accessed(read_long_ago, 30);
  prune(2000);
  EXPECT_THAT(names(user() / "cas"), ::testing::UnorderedElementsAre(read_lately, old));
}

TEST_F(Prune, EndsAndObeysSizeWhateverClockWroteTimes) {
  for (int i = 0; i < 8; ++i) put(static_cast<char>('a' + i), i % 2 != 0 ? kAhead : kIn1970);
  EXPECT_EQ(prune(3000).bytes_left, 3000u);
  EXPECT_EQ(prune(0).bytes_left, 0u);
}

TEST_F(Prune, RemovesStagedFileFromAhead) {
  write(user() / "cas" / ".left.0123.tmp", "staged while the clock was years ahead");
  age(user() / "cas" / ".left.0123.tmp", kAhead);
  EXPECT_EQ(prune(1'000'000).files, 1u);
}

TEST_F(Prune, GoesByClockOfFileSystem) {
  write(user() / "cas" / ".left.0123.tmp", "of a killed writer");
  age(user() / "cas" / ".left.0123.tmp", 2);
  write(user() / "cas" / ".fresh.0123.tmp", "of a writer at work");
  EXPECT_EQ(prune(1'000'000).files, 1u);
  EXPECT_FALSE(options_.now) << "this test would test nothing";
}

TEST_F(Prune, LeavesWhatNfsKeepsOfRemovedFiles) {
  const Digest blob = put('a', 1);
  write(user() / "cas" / ".nfs00000000000a1b2c00000001", "removed, and still open somewhere");
  write(user() / "ac" / ".nfs00000000000a1b2c00000002", "{}");
  EXPECT_EQ(store_.stats()[0].bytes, 1000u);
  EXPECT_THAT(store_.verify(), ::testing::IsEmpty());
  EXPECT_EQ(prune(0).files, 1u);
  EXPECT_THAT(names(user() / "ac"), ::testing::SizeIs(1));
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
