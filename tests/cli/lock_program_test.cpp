// `hone lock` and `hone cache vendor` on a project that was tuned: what a colleague's clone would have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cache/lock_file.h"
#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

// Tuned once: what is tested is what comes after.
class LockCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    tuned = std::make_unique<SmallProject>(slow_product);
    ASSERT_EQ(run(tuned->folder(), {"tune", "--trials", "2"}).code, 0);
  }
  static void TearDownTestSuite() { tuned.reset(); }

  void SetUp() override {
    source_ = tuned->read(tuned->folder() / "kernel.cpp");
    lock_ = tuned->read(tuned->lock());
    fs::copy(tuned->folder() / "hone", saved(), fs::copy_options::recursive | fs::copy_options::overwrite_existing);
  }
  void TearDown() override {
    tuned->write("kernel.cpp", source_);
    tuned->write("hone.lock", lock_);
    fs::remove_all(tuned->folder() / "hone");
    fs::copy(saved(), tuned->folder() / "hone", fs::copy_options::recursive);
  }
  static fs::path saved() { return tuned->folder() / "saved"; }
  static fs::path blob() {
    return tuned->folder() / "hone" / "cas" / *cache::LockFile::read(tuned->lock()).value().entries.at(0).variant;
  }
  static Ended hone(const std::vector<std::string>& words) { return run(tuned->folder(), words); }

  static inline std::unique_ptr<SmallProject> tuned;

 private:
  std::string source_, lock_;
};

TEST_F(LockCommand, FindsTunedProjectFreshAndWhole) {
  const Ended checked = hone({"lock", "check"});
  EXPECT_EQ(checked.code, 0) << checked.out << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("entries 1, kernels 1, of which untuned 0: fresh and whole"));
  EXPECT_EQ(json::parse(hone({"lock", "check", "--json"}).out)["fresh"], true);
}

TEST_F(LockCommand, NamesItsSubcommandsWhereOneIsMisspelled) {
  const Ended ended = hone({"lock", "chek"});
  EXPECT_EQ(ended.code, 2);
  EXPECT_THAT(ended.err, HasSubstr("hone lock has no 'chek'; choose one of check, merge"));
}

TEST_F(LockCommand, FindsEditedKernel) {
  std::string edited = tuned->read(tuned->folder() / "kernel.cpp");
  edited.insert(edited.rfind('}'), "  (void)0;\n");
  tuned->write("kernel.cpp", edited);
  const Ended checked = hone({"lock", "check"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(
      checked.out,
      HasSubstr(
          "error: 'product': it changed since it was tuned: `product()` changed (kernel.cpp:3); build hone-tune"));
}

TEST_F(LockCommand, FindsVariantThatOnlyThisUserHas) {
  fs::remove(blob());
  const Ended checked = hone({"lock", "check", "--json"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(json::parse(checked.out)["problems"][0]["what"].get<std::string>(), HasSubstr("run hone cache vendor"));
  const Ended vendored = hone({"cache", "vendor"});
  EXPECT_EQ(vendored.code, 0) << vendored.err;
  EXPECT_THAT(vendored.out, HasSubstr("in hone/: 1 of 1 variants; commit it"));
  EXPECT_EQ(hone({"lock", "check"}).code, 0);
}

TEST_F(LockCommand, FindsDamagedVariant) {
  fs::remove(blob());
  std::ofstream(blob()) << "something else";
  const fs::path store = tuned->folder() / "cache", aside = tuned->folder() / "aside";
  fs::rename(store, aside);
  const Ended checked = hone({"lock", "check"});
  const Ended vendored = hone({"cache", "vendor"});
  fs::remove_all(store);
  fs::rename(aside, store);
  EXPECT_EQ(checked.code, 1) << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("error: 'product'"));
  EXPECT_EQ(vendored.code, 1) << vendored.out;
  EXPECT_THAT(vendored.out, HasSubstr("in hone/: 0 of 1 variants; the others are in no store here"));
}

TEST_F(LockCommand, FindsEntryThatDoesNotFitItsSeal) {
  std::string lock = tuned->read(tuned->lock());
  const auto at = lock.find("\"variant\": \"") + 12;
  lock[at] = lock[at] == '0' ? '1' : '0';
  tuned->write("hone.lock", lock);
  const Ended checked = hone({"lock", "check"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.out, HasSubstr("does not fit its seal"));
}

TEST_F(LockCommand, NotesEntryThatNoKernelHas) {
  cache::LockFile lock = cache::LockFile::read(tuned->lock()).value();
  cache::LockEntry other = lock.entries[0];
  other.name = "gone";
  lock.put(other);
  tuned->write("hone.lock", lock.text());
  const Ended checked = hone({"lock", "check"});
  EXPECT_EQ(checked.code, 0) << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("note: 'gone': no annotated function of this build has it"));
}

TEST_F(LockCommand, MergesAsGitAsksIt) {
  const fs::path folder = tuned->folder() / "clone";
  fs::remove_all(folder);
  const std::string git = "git -c user.name=n -c user.email=e -c init.defaultBranch=main -C '" + folder.string() + "' ";
  const auto sh = [](const std::string& line) { return std::system((line + " >/dev/null 2>&1").c_str()); };
  if (sh("git --version") != 0) GTEST_SKIP() << "git is not here";
  fs::create_directories(folder);
  const auto commit = [&](const cache::LockFile& lock, const std::string& message) {
    std::ofstream(folder / "hone.lock") << lock.text();
    ASSERT_EQ(sh(git + "add -A && " + git + "commit -m " + message), 0);
  };
  ASSERT_EQ(sh(git + "init"), 0);
  ASSERT_EQ(sh(git + "config merge.hone.driver '" HONE_PROGRAM " lock merge %O %A %B %P'"), 0);
  std::ofstream(folder / ".gitattributes") << "hone.lock merge=hone\n";
  cache::LockFile base = cache::LockFile::read(tuned->lock()).value();
  commit(base, "base");
  const auto with = [&](const std::string& name) {
    cache::LockFile lock = base;
    cache::LockEntry entry = base.entries[0];
    entry.name = name;
    lock.put(entry);
    return lock;
  };
  ASSERT_EQ(sh(git + "checkout -b theirs"), 0);
  commit(with("theirs"), "theirs");
  ASSERT_EQ(sh(git + "checkout main"), 0);
  commit(with("ours"), "ours");
  ASSERT_EQ(sh(git + "merge theirs -m merged"), 0) << "both added an entry at the same place";
  const auto merged = cache::LockFile::read(folder / "hone.lock");
  ASSERT_TRUE(merged) << merged.error().message();
  EXPECT_EQ(merged->entries.size(), 3u);
}

TEST_F(LockCommand, LeavesWhatItCannotMerge) {
  tuned->write("broken", "{");
  tuned->write("nothing", "");
  tuned->write("ours", tuned->read(tuned->lock()));
  const Ended merged = hone({"lock", "merge", "nothing", "ours", "broken", "hone.lock"});
  EXPECT_EQ(merged.code, 1);
  EXPECT_THAT(merged.err, HasSubstr("hone.lock (theirs):1:"));
  EXPECT_EQ(tuned->read(tuned->folder() / "ours"), tuned->read(tuned->lock()));
}

}  // namespace
}  // namespace hone
