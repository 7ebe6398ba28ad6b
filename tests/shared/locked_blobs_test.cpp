// A shared store in which everything is there, and little of it may be used.
#include "tool/shared/locked_blobs.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/bound_source.h"
#include "cache/store.h"
#include "tests/shared/known_store.h"
#include "tool/os/files/files.h"

namespace hone::shared {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class LockedBlobs : public testing::Test {
 protected:
  LockedBlobs() {
    shared.blobs[variant] = blob;
    cache::LockEntry entry;
    entry.name = "blur";
    entry.key = key;
    entry.variant = variant;
    lock.put(entry);
    store.set_behind(locked_blobs(lock, shared, [this](const std::string& line) { said.push_back(line); }));
  }
  bool is_kept(const cache::Digest& digest) const { return std::filesystem::exists(user / "cas" / digest); }

  const cache::Digest key = cache::sha256("key");
  const std::string blob = cache::bound_blob("void blur() {}\n", key);
  const cache::Digest variant = cache::sha256(blob);
  KnownStore shared;
  cache::LockFile lock;
  std::vector<std::string> said;
  os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-locked-blobs");
  std::filesystem::path project = folder.path() / "project", user = folder.path() / "user";
  cache::Store store{{{project, true, true}, {user, true}}, [](const std::string&) {}};
};

TEST_F(LockedBlobs, AreKeptInUserStoreAndAskedForOnce) {
  EXPECT_EQ(store.blob(variant), blob);
  EXPECT_EQ(store.blob(variant), blob);
  EXPECT_THAT(shared.asked, ElementsAre("cas/" + variant));
  EXPECT_TRUE(is_kept(variant));
  EXPECT_FALSE(std::filesystem::exists(project)) << "a build leaves the project alone";
  EXPECT_TRUE(said.empty());
}

TEST_F(LockedBlobs, AreNotAskedForIfLockFileDoesNotNameThem) {
  const cache::Digest other = cache::sha256("other");
  shared.blobs[other] = "other";
  EXPECT_EQ(store.blob(other), std::nullopt);
  EXPECT_EQ(store.record(key), std::nullopt);
  EXPECT_TRUE(shared.asked.empty());
}

TEST_F(LockedBlobs, AreNotAskedForIfEntryIsNotAsItWasSealed) {
  lock.entries.at(0).key = cache::sha256("another key");
  EXPECT_EQ(store.blob(variant), std::nullopt);
  EXPECT_TRUE(shared.asked.empty());
}

TEST_F(LockedBlobs, AreRefusedWithOtherBytes) {
  for (const std::string& bytes : {std::string(), std::string("<html>log in</html>"), blob.substr(1), blob + "\n"}) {
    said.clear();
    shared.blobs[variant] = bytes;
    store.set_behind(locked_blobs(lock, shared, [this](const std::string& line) { said.push_back(line); }));
    EXPECT_EQ(store.blob(variant), std::nullopt);
    EXPECT_EQ(store.blob(variant), std::nullopt);
    EXPECT_THAT(said, ElementsAre(HasSubstr("gave other bytes than the lock file names")));
    EXPECT_FALSE(is_kept(variant));
  }
}

// Its digest is right: the entry was made for it, by hand.
TEST_F(LockedBlobs, AreRefusedIfTheyAreOfAnotherKernel) {
  const std::string stranger = cache::bound_blob("void blur() { steal(); }\n", cache::sha256("its own key"));
  cache::LockEntry entry = lock.entries.at(0);
  entry.variant = cache::sha256(stranger);
  lock.put(entry);
  shared.blobs[*entry.variant] = stranger;
  EXPECT_EQ(store.blob(*entry.variant), std::nullopt);
  EXPECT_THAT(said, ElementsAre(HasSubstr("a variant of another kernel, or of another state of it")));
  EXPECT_FALSE(is_kept(*entry.variant));
}

TEST_F(LockedBlobs, ThatAreNowhereAreAskedForOnce) {
  shared.blobs.clear();
  EXPECT_EQ(store.blob(variant), std::nullopt);
  EXPECT_EQ(store.blob(variant), std::nullopt);
  EXPECT_THAT(shared.asked, ElementsAre("cas/" + variant));
  EXPECT_TRUE(said.empty());
}

TEST_F(LockedBlobs, AreUsedEvenIfNobodyKeepsThem) {
  cache::Store reading({{user, false}}, [](const std::string&) {});
  reading.set_behind(locked_blobs(lock, shared, [](const std::string&) {}));
  EXPECT_EQ(reading.blob(variant), blob);
  EXPECT_FALSE(is_kept(variant));
}

TEST_F(LockedBlobs, RepairWhatIsDamagedHere) {
  ASSERT_TRUE(os::write_file_atomically(project / "cas" / variant, "damaged"));
  EXPECT_EQ(store.blob(variant), blob);
  EXPECT_EQ(os::read_file(project / "cas" / variant).value_or(""), blob);
}

TEST_F(LockedBlobs, SayTroubleOnce) {
  shared.trouble = Error{"the shared store is gone", "", ""};
  EXPECT_EQ(store.blob(variant), std::nullopt);
  EXPECT_EQ(store.blob(variant), std::nullopt);
  EXPECT_THAT(said, ElementsAre("the shared store is gone"));
}

}  // namespace
}  // namespace hone::shared
