// The store between system calls: in which order it makes them, and what comes of it when one fails as over NFS, or
// when another process comes in between.
#include <cerrno>

#include <gmock/gmock.h>

#include "cache/lock_file.h"
#include "cache/store.h"
#include "tests/cache/faults/system_calls.h"
#include "tests/cache/folder.h"

namespace hone::cache {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::StartsWith;

class StoreFaults : public FolderTest {
 protected:
  void SetUp() override { store_.put_blob("old"), calls.made.clear(); }

  std::string blob(const Digest& digest) const { return "cas/" + digest; }
  fs::path file(const Digest& digest) const { return path("user/cas") / digest; }

  // Fails the first `times` calls that begin so.
  auto failing(std::string call, int error, int times = 1) {
    return
        [=, left = times](const std::string& made) mutable { return made.starts_with(call) && left-- > 0 ? error : 0; };
  }
  // Has `happens` done at the first call that begins so.
  auto at(std::string call, std::function<void()> happens) {
    return [=, done = false](const std::string& made) mutable {
      if (!done && made.starts_with(call)) done = true, happens();
      return 0;
    };
  }

  Store store_{{{path("user")}}, warn()};
  const Digest old_ = sha256("old"), new_ = sha256("new");
  tests::SystemCalls calls{path("user")};
};

TEST_F(StoreFaults, WriterSyncsFileThenRenamesThenSyncsFolder) {
  ASSERT_TRUE(store_.put_blob("new"));
  EXPECT_THAT(calls.made, ElementsAre("open " + blob(new_), "open staged", "fsync staged",
                                      "rename staged " + blob(new_), "open cas", "fsync cas"));
}

TEST_F(StoreFaults, FirstWriterSyncsFoldersThatNameNewOnes) {
  ASSERT_TRUE(store_.put_record(old_, "{}"));
  EXPECT_THAT(calls.made, ElementsAre("open ac/" + old_, "open .", "fsync .", "open staged", "fsync staged",
                                      "rename staged ac/" + old_, "open ac", "fsync ac"));
}

TEST_F(StoreFaults, ReaderTakesNoLock) {
  EXPECT_TRUE(store_.blob(old_));
  EXPECT_FALSE(store_.record(old_));
  EXPECT_THAT(calls.made, ElementsAre("open " + blob(old_), "read " + blob(old_), "read " + blob(old_),
                                      "utimensat " + blob(old_), "open ac/" + old_));
}

TEST_F(StoreFaults, ReaderOpensAgainWhatAnotherMachineReplaced) {
  for (const char* call : {"open cas/", "read cas/"}) {
    calls.before = failing(call, ESTALE);
    EXPECT_EQ(store_.blob(old_), "old") << call;
  }
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(StoreFaults, MissWhatGoesBetweenListAndLook) {
  calls.before = failing("open cas/", ENOENT, 2);
  EXPECT_EQ(store_.blob(old_), std::nullopt);
  EXPECT_THAT(store_.verify(), IsEmpty());
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_EQ(store_.blob(old_), "old");
}

TEST_F(StoreFaults, LeaveInPlaceWhatCannotBeRead) {
  for (const int error : {ESTALE, EIO, EACCES, EMFILE}) {
    calls.before = failing("open cas/", error, 1000);
    EXPECT_EQ(store_.blob(old_), std::nullopt);
    EXPECT_EQ(store_.verify().size(), 1u);
    calls.before = failing("none", 0);
    EXPECT_EQ(store_.blob(old_), "old") << error;
  }
  EXPECT_EQ(warnings_.size(), 4u);
  EXPECT_THAT(warnings_, ::testing::Each(HasSubstr("it is left out")));
}

TEST_F(StoreFaults, WriterBelievesItsEyesWhenRenameFailsThoughItHappened) {
  calls.after = failing("rename", ENOENT);
  ASSERT_TRUE(store_.put_blob("new"));
  EXPECT_EQ(std::count(calls.made.begin(), calls.made.end(), "open staged"), 1);
  EXPECT_EQ(read(file(new_)), "new");
}

TEST_F(StoreFaults, WriterTakesAnotherNameWhenItsOwnExists) {
  calls.before = failing("open staged", EEXIST, 3);
  ASSERT_TRUE(store_.put_blob("new"));
  EXPECT_EQ(store_.blob(new_), "new");
}

TEST_F(StoreFaults, WriterStagesAgainWhatWasRemovedUnderIt) {
  calls.before = at("rename", [this] {
    for (const std::string& name : names(path("user/cas")))
      if (name.ends_with(".tmp")) fs::remove(path("user/cas") / name);
  });
  ASSERT_TRUE(store_.put_blob("new"));
  EXPECT_EQ(store_.blob(new_), "new");
  calls.before = at("open staged", [this] { fs::remove_all(path("user")); });
  ASSERT_TRUE(store_.put_blob("newer")) << "emptying a store by hand is safe at any time";
  EXPECT_EQ(read(file(sha256("newer"))), "newer");
}

TEST_F(StoreFaults, WriterReportsWhatNeverReachesDisk) {
  for (const int error : {ENOSPC, EDQUOT, EIO}) {
    calls.before = failing("fsync staged", error);
    EXPECT_THAT(store_.put_blob("new").error().message(), HasSubstr("cannot sync"));
    EXPECT_THAT(names(path("user/cas")), ElementsAre(old_)) << "nothing staged is left";
  }
  calls.before = failing("fsync cas", EIO);
  EXPECT_FALSE(store_.put_blob("new"));
}

TEST_F(StoreFaults, WriterGoesOnWhenSyncIsInterruptedOrUnknown) {
  calls.before = failing("fsync", EINTR, 3);
  EXPECT_TRUE(store_.put_blob("new"));
  calls.before = failing("fsync cas", EINVAL);
  EXPECT_TRUE(store_.put_blob("newer"));
}

TEST_F(StoreFaults, KeepWhatIsRepairedWhileItIsSetAside) {
  for (const char* moment : {"open cas/", "rename cas/"}) {
    write(file(old_), "spoiled");
    calls.made.clear();
    calls.before = [&, seen = 0](const std::string& call) mutable {
      const bool second_look = call.starts_with(moment) && (++seen == 2 || *moment == 'r');
      if (second_look) os::write_file_atomically(file(old_), "old");
      return 0;
    };
    store_.blob(old_);
    calls.before = failing("none", 0);
    EXPECT_EQ(store_.blob(old_), "old") << moment;
    EXPECT_THAT(names(path("user/cas")), ElementsAre(old_)) << moment;
  }
}

TEST_F(StoreFaults, KeepRecordThatReplacesRejectedOne) {
  ASSERT_TRUE(store_.put_record(old_, R"({"a": 1})"));
  calls.before = at("rename ac/", [this] { os::write_file_atomically(path("user/ac") / old_, R"({"b": 2})"); });
  store_.reject_record(old_, R"({"a": 1})", "it is another's");
  EXPECT_EQ(store_.record(old_), R"({"b": 2})");
  store_.reject_record(old_, R"({"b": 2})", "so is this");
  EXPECT_EQ(store_.record(old_), std::nullopt);
}

TEST_F(StoreFaults, WriterStoresAgainWhatIsPrunedUnderIt) {
  calls.before = at("utimensat", [this] { fs::remove(file(old_)); });
  ASSERT_TRUE(store_.put_blob("old"));
  EXPECT_EQ(read(file(old_)), "old");
}

TEST_F(StoreFaults, ReaderStoresAgainWhatIsPrunedUnderIt) {
  calls.before = at("utimensat", [this] { fs::remove(file(old_)); });
  EXPECT_EQ(store_.blob(old_), "old");
  EXPECT_EQ(read(file(old_)), "old") << "nothing was used later";
}

TEST_F(StoreFaults, UseThatPruningCannotSeeYetStoresAgain) {
  Store::PruneOptions options;
  options.max_bytes = 0;
  calls.before = at("unlink staged", [this] { ASSERT_TRUE(Store({{path("user")}}, {}).put_blob("old")); });
  EXPECT_EQ(store_.prune(0, options).value().files, 1u);
  EXPECT_EQ(read(file(old_)), "old");
}

TEST_F(StoreFaults, PruningKeepsWhatIsUsedMeanwhile) {
  ASSERT_TRUE(store_.put_blob("new"));
  const Digest first = std::min(old_, new_), second = std::max(old_, new_);
  for (const Digest& digest : {first, second}) {
    const timespec times[2] = {{1000, 0}, {1000, 0}};
    ASSERT_EQ(::utimensat(AT_FDCWD, file(digest).c_str(), times, 0), 0);
  }
  calls.before = at("rename cas/" + second, [&] { ASSERT_TRUE(Store({{path("user")}}, {}).blob(second)); });
  Store::PruneOptions options;
  options.max_bytes = 0;
  const Store::Pruned pruned = store_.prune(0, options).value();
  EXPECT_EQ(pruned.files, 1u);
  EXPECT_EQ(pruned.bytes_left, 3u);
  EXPECT_THAT(names(path("user/cas")), ElementsAre(second));
}

TEST_F(StoreFaults, PruningGoesOnBehindEntryThatMustStay) {
  ASSERT_TRUE(store_.put_blob("new"));
  calls.before = failing("rename cas/", EACCES);
  Store::PruneOptions options;
  options.max_bytes = 0;
  EXPECT_THAT(store_.prune(0, options).error().message(), HasSubstr("cannot remove a cache entry"));
  EXPECT_EQ(names(path("user/cas")).size(), 1u);
}

TEST_F(StoreFaults, PruningAloneTakesLock) {
  ASSERT_TRUE(store_.put_blob("new"));
  EXPECT_THAT(calls.made, Not(Contains(StartsWith("flock"))));
  ASSERT_TRUE(store_.prune(0, {}));
  EXPECT_THAT(calls.made, Contains("flock prune.lock"));
}

TEST_F(StoreFaults, LockFileIsOpenedAgainWhenAnotherMachineReplacedIt) {
  const fs::path lock = path("user/hone.lock");
  const auto add = [&](const char* name) {
    return LockFile::update(lock, [&](LockFile& file) {
      file.put({name, "a.cpp", sha256(name), "x86_64", sha256("v"), 2, 1.5, 2.5, "cpu"});
    });
  };
  ASSERT_TRUE(add("first"));
  for (const char* call : {"open hone.lock", "flock hone.lock", "read hone.lock"}) {
    calls.before = failing(call, ESTALE);
    EXPECT_TRUE(add(call)) << call;
  }
  EXPECT_EQ(LockFile::read(lock)->entries.size(), 4u);
}

}  // namespace
}  // namespace hone::cache
