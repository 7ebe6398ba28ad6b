// `hone lock` and `hone cache vendor` on a project that was tuned: what a colleague's clone would have.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cache/lock_file.h"
#include "run_program.h"
#include "small_project.h"
#include "tests/replaced_text.h"
#include "tool/base/machine_kind.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Tuned once: what is tested is what comes after.
class LockCommand : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    tuned = std::make_unique<SmallProject>(twice_in_steps);
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

TEST_F(LockCommand, LeavesAllThatAReportShows) {
  const Ended reported = hone({"report", "--json", "--roofline"});
  ASSERT_EQ(reported.code, 0) << reported.err;
  const json kernel = json::parse(reported.out)["kernels"].at(0);
  const auto entry = cache::LockFile::read(tuned->lock()).value().entries.at(0);
  EXPECT_EQ(kernel["name"], "twice");
  EXPECT_EQ(kernel["state"], "tuned");
  EXPECT_EQ(kernel["linked"], true);
  EXPECT_EQ(kernel["speedup"]["median"], entry.speedup);
  EXPECT_EQ(kernel["variant_digest"], *entry.variant);
  EXPECT_THAT(kernel["original"].get<std::string>(), testing::StartsWith("void twice("));
  EXPECT_EQ(kernel["search"]["trials"].size(), 2u);
  EXPECT_EQ(kernel["search"]["trials"][0]["operator"], "init");
  const json& problem = kernel["record"]["verdict"]["problems"].at(0);
  EXPECT_GT(problem["reference_ns"].size(), 4u);
  EXPECT_EQ(problem["reference_ns"].size(), problem["candidate_ns"].size());
  EXPECT_GT(problem["floor_seconds"], 0.0);
  EXPECT_LE(problem["floor_seconds"], problem["reference_seconds"]);
  EXPECT_THAT(kernel["tried"]["checks"].get<std::string>(), HasSubstr("AddressSanitizer"));
  EXPECT_EQ(kernel["record"]["lineage"].back()["code"], kernel["variant"]);
  EXPECT_EQ(kernel["missing"], json::array());
}

TEST_F(LockCommand, LeavesAReportToWriteAsOneFile) {
  EXPECT_EQ(hone({"report"}).code, 0);
  EXPECT_THAT(tuned->read(tuned->folder() / "hone-report.html"), testing::StartsWith("<!doctype html>"));
  EXPECT_EQ(hone({"report", "-o", "there.html"}).code, 0);
  EXPECT_THAT(tuned->read(tuned->folder() / "there.html"), testing::StartsWith("<!doctype html>"));
  EXPECT_THAT(hone({"report", "-o", "-"}).out, testing::StartsWith("<!doctype html>"));
  const Ended nowhere = hone({"report", "-o", "/proc/none/report.html"});
  EXPECT_EQ(nowhere.code, 3);
  EXPECT_THAT(nowhere.err, HasSubstr("/proc/none: cannot create the folder"));
}

TEST_F(LockCommand, ReportsFreshCheckoutFromItsLockFile) {
  const Ended reported = hone({"report", "-p", "nowhere", "--json"});
  ASSERT_EQ(reported.code, 0) << reported.err;
  const json data = json::parse(reported.out);
  EXPECT_EQ(data["kernels"].at(0)["state"], "locked");
  EXPECT_THAT(data["missing"].at(0).get<std::string>(), HasSubstr("compile_commands.json"));
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
      HasSubstr("error: 'twice': it changed since it was tuned: `twice()` changed (kernel.cpp:3); build hone-tune"));
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
  EXPECT_THAT(checked.out, HasSubstr("error: 'twice'"));
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

TEST_F(LockCommand, FindsEntryThatDoesNotFitItsSum) {
  tuned->write("hone.lock", test::replaced(tuned->read(tuned->lock()), "\"tuned\": true", "\"tunee\": true"));
  const Ended checked = hone({"lock", "check"});
  EXPECT_EQ(checked.code, 1);
  EXPECT_THAT(checked.out, HasSubstr("error: 'twice': its entry in the lock file does not fit its sum"));
  const Ended tuned_again = hone({"tune"});
  EXPECT_EQ(tuned_again.code, 0) << tuned_again.err;
  EXPECT_THAT(tuned_again.out + tuned_again.err, HasSubstr("from the cache")) << "the record is whole";
  EXPECT_EQ(hone({"lock", "check"}).code, 0);
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
    cache::put_figure(lock.entries[0].held_on, "AMD EPYC 1234 " + name,
                      cache::figure_of(*entry.variant, 1.5, 1.4, 1.6));
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
  for (const cache::LockEntry& entry : merged->entries) EXPECT_EQ(merged->why_not(entry), "") << entry.name;
  for (const cache::LockEntry& entry : merged->entries)
    if (entry.name == base.entries[0].name)
      EXPECT_EQ(entry.held_on.size(), base.entries[0].held_on.size() + 2) << "both measured it elsewhere";
}

// Verified here, and by a machine that is slower.
TEST_F(LockCommand, JoinsWhatWasVerifiedOnSeveralMachines) {
  const Ended verified = hone({"verify", "--json"});
  ASSERT_EQ(verified.code, 0) << verified.err;
  const std::string here = json::parse(verified.out)["kernels"][0]["machine"];
  EXPECT_EQ(here, processor_kind());
  json there = json::parse(verified.out);
  there["kernels"][0]["machine"] = "AMD EPYC 1234X";
  there["kernels"][0]["speedup"] = {{"median", 0.8}, {"low", 0.7}, {"high", 0.9}};
  tuned->write("here.json", verified.out);
  tuned->write("there.json", there.dump());
  EXPECT_EQ(cache::LockFile::read(tuned->lock()).value().entries[0].held_on.count(here), 1u) << "the tuning's own";

  const Ended joined = hone({"lock", "evidence", "here.json", "there.json"});
  EXPECT_EQ(joined.code, 0) << joined.err;
  EXPECT_THAT(joined.out, HasSubstr("0.80x slower"));
  EXPECT_THAT(joined.out, HasSubstr(here + ": 1 of 1 hold"));
  EXPECT_THAT(joined.out, HasSubstr("elsewhere than where they were tuned: 0 of 1 hold (0%)"));
  const std::string once = tuned->read(tuned->lock());
  for (const std::string& name : {tuned->folder().string(), std::string("there.json")})
    EXPECT_THAT(once, Not(HasSubstr(name)));
  EXPECT_EQ(hone({"lock", "evidence", "here.json", "there.json"}).code, 0);
  EXPECT_EQ(tuned->read(tuned->lock()), once);

  const json table = json::parse(hone({"lock", "evidence", "--json"}).out);
  EXPECT_EQ(table["elsewhere"]["share"], 0.0);
  EXPECT_EQ(table["kernels"][0]["held_on"].size(), 2u);
  EXPECT_EQ(json::parse(hone({"list", "--json"}).out)["kernels"][0]["linked"], false);
  const Ended checked = hone({"lock", "check"});
  EXPECT_EQ(checked.code, 0) << checked.out;
  EXPECT_THAT(checked.out, HasSubstr("note: 'twice': its original is linked: it is 0.80x on"));
}

TEST_F(LockCommand, TakesWhatIsWholeAndNamesWhatIsNot) {
  const cache::LockEntry entry = cache::LockFile::read(tuned->lock()).value().entries[0];
  const json figure{{"name", entry.name},
                    {"right", true},
                    {"stage", "done"},
                    {"key", entry.key},
                    {"variant", *entry.variant},
                    {"machine", "AMD EPYC 1234X"},
                    {"speedup", {{"median", 2}, {"low", 1.9}, {"high", 2.1}}}};
  tuned->write("here.json", json{{"kernels", {figure}}}.dump());
  tuned->write("broken.json", "{\n  \"kernels\": 7 }");
  const Ended joined = hone({"lock", "evidence", "broken.json", "here.json", "nowhere.json"});
  EXPECT_EQ(joined.code, 1);
  EXPECT_THAT(joined.err, HasSubstr("broken.json:1:1: this is not what `hone verify --json` prints"));
  EXPECT_THAT(joined.err, HasSubstr("nowhere.json"));
  EXPECT_EQ(cache::LockFile::read(tuned->lock()).value().entries[0].held_on.count("AMD EPYC 1234X"), 1u);
  EXPECT_EQ(hone({"lock", "evidence", "--lock", "nowhere.lock"}).code, 3);
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
