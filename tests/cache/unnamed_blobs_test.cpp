#include "cache/unnamed_blobs.h"

#include <gmock/gmock.h>

#include "cache/lock_file.h"
#include "cache/store.h"
#include "tests/cache/folder.h"

namespace hone::cache {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class Unnamed : public FolderTest {
 protected:
  fs::path lock() const { return path("hone.lock"); }
  fs::path hone() const { return path("hone"); }
  Digest put(const std::string& text) {
    return *Store({{hone(), true}}, [](const std::string&) {}).put_blob(text);
  }

  static void lock_in(const fs::path& file, const std::optional<Digest>& variant, const Digest& parts = {}) {
    LockEntry entry;
    entry.name = "scale";
    entry.file = "scale.cpp";
    entry.key = sha256("key");
    entry.variant = variant;
    entry.key_parts = parts;
    ASSERT_TRUE(LockFile::update(file, [&](LockFile& lock) { lock.put(entry); }));
  }

  std::vector<std::string> unnamed(std::chrono::seconds later = std::chrono::hours(1)) const {
    std::vector<std::string> names;
    for (const StoreFolder::Entry& entry : found(later).unnamed) names.push_back(entry.name);
    return names;
  }
  UnnamedBlobs found(std::chrono::seconds later = std::chrono::hours(1)) const {
    return unnamed_blobs(hone(), lock(), std::chrono::system_clock::now() + later).value();
  }
};

TEST_F(Unnamed, BlobIsWhatAnEntryNamedBefore) {
  const Digest old = put("old"), current = put("new"), parts = put("parts");
  lock_in(lock(), old, parts);
  EXPECT_THAT(unnamed(), ElementsAre(current));
  lock_in(lock(), current, parts);
  EXPECT_THAT(unnamed(), ElementsAre(old));
  const UnnamedBlobs all = found();
  EXPECT_EQ(all.named, 2u);
  EXPECT_EQ(StoreFolder::remove_unused(all.unnamed[0]).value(), StoreFolder::Removal::removed);
  EXPECT_THAT(unnamed(), IsEmpty());
  EXPECT_TRUE(fs::exists(hone() / "cas" / current));
}

TEST_F(Unnamed, BlobIsNotWhatAnotherFileBesideTheLockFileNames) {
  const Digest of_release = put("release"), of_conflict = put("conflict");
  lock_in(lock(), std::nullopt);
  lock_in(path("release.lock"), of_release);
  write(path("theirs"), "{ \"kernels\": [\n<<<<<<< ours\n\"variant\": \"" + of_conflict + "\",\n=======\n");
  EXPECT_THAT(unnamed(), IsEmpty());
  EXPECT_EQ(found().named, 2u);
  const Digest listed = put("listed");  // as --dry-run does, into a file there
  write(path("list.txt"), (hone() / "cas" / listed).string() + "\n");
  EXPECT_THAT(unnamed(), ElementsAre(listed));
}

TEST_F(Unnamed, BlobIsNotWhatHoneDidNotWrite) {
  lock_in(lock(), std::nullopt);
  write(hone() / "cas" / "notes.txt", "mine");
  write(hone() / "cas" / sha256("edited"), "not what the name promises");
  write(hone() / "captures" / "x.bin", "mine, too");
  const Digest elsewhere = sha256("elsewhere");
  write(path("somewhere/file"), "elsewhere");
  fs::create_symlink(path("somewhere/file"), hone() / "cas" / elsewhere);
  EXPECT_THAT(unnamed(), IsEmpty());
  EXPECT_EQ(found().foreign, 1u);
}

TEST_F(Unnamed, BlobIsNotWhatATuningMayBeAboutToName) {
  lock_in(lock(), std::nullopt);
  const Digest fresh = put("fresh");
  EXPECT_THAT(unnamed(std::chrono::seconds(0)), IsEmpty());
  EXPECT_EQ(found(std::chrono::seconds(0)).young, 1u);
  EXPECT_THAT(unnamed(), ElementsAre(fresh));
}

TEST_F(Unnamed, BlobsCannotBeToldWithoutAWholeLockFile) {
  put("a");
  const auto now = std::chrono::system_clock::now() + std::chrono::hours(1);
  EXPECT_THAT(unnamed_blobs(hone(), lock(), now).error().message(), HasSubstr("there is no lock file"));
  write(lock(), "{ \"version\": 1, \"kernels\": [");
  EXPECT_FALSE(unnamed_blobs(hone(), lock(), now));
}

}  // namespace
}  // namespace hone::cache
