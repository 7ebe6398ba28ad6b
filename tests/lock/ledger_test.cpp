#include "tool/lock/ledger.h"

#include <cstdlib>
#include <functional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/bound_source.h"
#include "cache/digest.h"
#include "cache/key_parts.h"
#include "cache/lock_file.h"
#include "tests/replaced_text.h"
#include "tool/os/files/files.h"
#include "tool/trust/standing.h"

namespace hone::lock {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class LedgerTest : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    spec_.name = spec_.qualified_name = "blur";
    spec_.signature = "void blur()";
    spec_.file = (project_ / "src" / "blur.cpp").string();
    spec_.key = cache::sha256("key");
    spec_.target = "x86_64 avx2";
    unit_.settings.lock = project_ / "hone.lock";
    unit_.command.arguments = {"g++", "-O3", "-c", "src/blur.cpp"};
  }
  Ledger ledger() {
    return Ledger(spec_, unit_, [](const std::string&) {});
  }
  static std::string digest(const std::string& source) {
    return cache::sha256(cache::bound_blob(source, cache::sha256("key")));
  }
  static Record record(const std::optional<std::string>& source) {
    Record record;
    record.key = cache::sha256("key");
    record.kernel = "blur";
    record.signature = "void blur()";
    record.target = "x86_64 avx2";
    if (source) record.variant = digest(*source);
    record.speedup = {3, 2.9, 3.1};
    record.evidence = "cpu: g++";
    record.seed = 18446744073709551615u;
    record.lineage = {{4, "mutation", "tile(64)", {2, 3}, {2, 1.9, 2.1}, cache::sha256("x")}};
    record.search.emplace();
    record.search->stage = Stage::done;
    record.search->right = true;
    return record;
  }

  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-ledger");
  fs::path project_ = folder_.path() / "project";
  KernelSpec spec_;
  project::ProjectUnit unit_;
};

TEST_F(LedgerTest, IsEmptyAtFirst) {
  EXPECT_EQ(ledger().locked().value(), std::nullopt);
  EXPECT_FALSE(ledger().recorded());
}

TEST_F(LedgerTest, KeepsVariantInBothStoresAndLocksIt) {
  ASSERT_TRUE(ledger().keep(record("void blur() {}"), "void blur() {}"));
  const auto entry = ledger().locked().value();
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->file, "src/blur.cpp");
  EXPECT_EQ(entry->compiled_with, "gcc -O3");
  EXPECT_EQ(entry->variant, digest("void blur() {}"));
  EXPECT_EQ(ledger().source(*entry->variant), "void blur() {}");
  EXPECT_EQ(entry->speedup, 3);
  fs::remove_all(folder_.path() / "cache");
  EXPECT_TRUE(ledger().locked().value()) << "the project's own store is enough";
}

TEST_F(LedgerTest, KeepsEntriesOfHeaderThatIsCAndCxx) {
  const auto tune_as = [&](const std::string& language) {
    const std::string source = "void blur() {} // " + language;
    spec_.language = language;
    spec_.key_fields = {{"language", language}};
    spec_.key = cache::key_of({{"language", language}});
    Record found = record(std::nullopt);
    found.key = spec_.key;
    found.variant = cache::sha256(cache::bound_blob(source, spec_.key));
    ASSERT_TRUE(ledger().keep(found, source));
  };
  const auto entries = [&] { return cache::LockFile::read(project_ / "hone.lock")->entries.size(); };
  tune_as("gnu17");
  tune_as("gnu++20");
  EXPECT_EQ(entries(), 2);
  tune_as("gnu++17");
  EXPECT_EQ(entries(), 2) << "another standard of C++ is another state";
  EXPECT_TRUE(ledger().locked().value());
}

TEST_F(LedgerTest, LocksRecordOfUserStoreWithoutSearch) {
  ASSERT_TRUE(ledger().keep(record("void blur() {}"), "void blur() {}"));
  fs::remove_all(project_);
  EXPECT_EQ(ledger().locked().value(), std::nullopt);
  const auto known = ledger().recorded();
  ASSERT_TRUE(known);
  ASSERT_TRUE(ledger().lock(*known));
  ASSERT_TRUE(ledger().locked().value());
  fs::remove_all(folder_.path() / "cache");
  EXPECT_TRUE(ledger().locked().value());
}

// Records of the user's store, as they are after somebody exchanged or relabeled their files.
TEST_F(LedgerTest, SetsAsideRecordOfOtherKeyFunctionTargetOrVariant) {
  const auto relabeled = [this](const std::function<void(Record&)>& change) {
    Record other = record("void blur() {}");
    change(other);
    cache::Store user({{folder_.path() / "cache" / "hone", true}}, [](const std::string&) {});
    EXPECT_TRUE(user.put_blob(cache::bound_blob("void blur() {}", cache::sha256("another key"))));
    EXPECT_TRUE(user.put_blob(cache::bound_blob("void blur() {}", cache::sha256("key"))));
    EXPECT_TRUE(user.put_record(spec_.key, to_json(other)));
    std::string said;
    const Ledger ledger(spec_, unit_, [&](const std::string& warning) { said += warning; });
    EXPECT_FALSE(ledger.recorded());
    EXPECT_FALSE(user.record(spec_.key)) << "set aside";
    return said;
  };
  EXPECT_THAT(relabeled([](Record& other) { other.key = cache::sha256("another key"); }), HasSubstr("request key"));
  EXPECT_THAT(relabeled([](Record& other) { other.signature = "void scan()"; }), HasSubstr("another function"));
  EXPECT_THAT(relabeled([](Record& other) { other.target = "aarch64"; }), HasSubstr("another function or target"));
  EXPECT_THAT(relabeled([](Record& other) {
                other.variant = cache::sha256(cache::bound_blob("void blur() {}", cache::sha256("another key")));
              }),
              HasSubstr("its variant is of another request key"));
}

TEST_F(LedgerTest, IgnoresRecordWithoutKey) {
  Record old = record("void blur() {}");
  old.key.clear();
  ASSERT_TRUE(ledger().keep(old, "void blur() {}"));
  fs::remove_all(project_);
  EXPECT_FALSE(ledger().recorded());
}

TEST_F(LedgerTest, IgnoresRecordThatABranchBrings) {
  ASSERT_TRUE(ledger().keep(record("void blur() {}"), "void blur() {}"));
  fs::create_directories(project_ / "hone" / "ac");
  fs::rename(folder_.path() / "cache" / "hone" / "ac" / spec_.key, project_ / "hone" / "ac" / spec_.key);
  EXPECT_FALSE(ledger().recorded());
}

TEST_F(LedgerTest, IgnoresEntryWithBrokenSeal) {
  ASSERT_TRUE(ledger().keep(record("void blur() {}"), "void blur() {}"));
  auto lock = *cache::LockFile::read(unit_.settings.lock);
  lock.entries.front().measured_on = "sm_90";
  ASSERT_TRUE(os::write_file_atomically(unit_.settings.lock, lock.text()));
  EXPECT_EQ(ledger().locked().value(), std::nullopt);
}

TEST_F(LedgerTest, IgnoresEntryWithoutBlob) {
  ASSERT_TRUE(ledger().keep(record("void blur() {}"), "void blur() {}"));
  fs::remove_all(project_ / "hone");
  fs::remove_all(folder_.path() / "cache");
  EXPECT_EQ(ledger().locked().value(), std::nullopt);
}

TEST_F(LedgerTest, LocksKeptOriginal) {
  ASSERT_TRUE(ledger().keep(record(std::nullopt), ""));
  const auto entry = ledger().locked().value();
  ASSERT_TRUE(entry);
  EXPECT_FALSE(entry->variant);
}

TEST_F(LedgerTest, KeepsVariantIfUserStoreIsUnusable) {
  ASSERT_TRUE(os::write_file_atomically(folder_.path() / "cache" / "hone", "a file where a folder should be"));
  ASSERT_TRUE(ledger().keep(record("void blur() {}"), "void blur() {}"));
  EXPECT_TRUE(ledger().locked().value());
}

TEST_F(LedgerTest, ReportsBrokenLockFileAndLeavesIt) {
  ASSERT_TRUE(os::write_file_atomically(unit_.settings.lock, "{ half"));
  EXPECT_FALSE(ledger().locked());
  EXPECT_FALSE(ledger().keep(record("void blur() {}"), "void blur() {}"));
  EXPECT_EQ(os::read_file(unit_.settings.lock).value(), "{ half");
}

// A record from elsewhere, and whose word the project takes.
class AdoptedRecord : public LedgerTest {
 protected:
  void SetUp() override {
    LedgerTest::SetUp();
    trust_alice(true);
  }
  void trust_alice(bool yes) {
    const auto written = trust::TrustFile::update(project_ / "hone.trust", [&](trust::TrustFile& file) -> Result<void> {
      file.keys.clear();
      if (yes) file.keys.push_back({alice_.public_key(), "alice", ""});
      return {};
    });
    ASSERT_TRUE(written);
  }
  std::string signed_by_alice(const Record& one) const { return sign_record(to_json(one), alice_).value(); }
  std::string why_not(const std::string& text, const std::string& source = "void blur() {}") {
    const auto adopted = ledger().adopt(text, cache::bound_blob(source, spec_.key));
    return adopted ? "" : adopted.error().what;
  }
  const trust::SigningKey alice_ = *trust::SigningKey::generate();
  static Record measured(const std::string& source) {
    Record made = record(source);
    made.final = made.search;
    return made;
  }
  const Record good_ = measured("void blur() {}");
};

TEST_F(AdoptedRecord, IsLockedAsOneOfTheUsersStore) {
  ASSERT_EQ(why_not(signed_by_alice(good_)), "");
  const auto known = ledger().recorded();
  ASSERT_TRUE(known);
  ASSERT_TRUE(ledger().lock(*known));
  const auto entry = ledger().locked().value();
  ASSERT_TRUE(entry);
  EXPECT_EQ(entry->variant, digest("void blur() {}"));
  EXPECT_EQ(entry->signed_by, alice_.public_key().text());
  EXPECT_FALSE(entry->unconfirmed) << "as far as it is known, but for the file";
}

TEST_F(AdoptedRecord, CountsNoMoreAfterItsKeyDoes) {
  ASSERT_EQ(why_not(signed_by_alice(good_)), "");
  ASSERT_TRUE(ledger().lock(*ledger().recorded()));
  trust_alice(false);
  EXPECT_FALSE(ledger().recorded()) << "in the user's store";
  EXPECT_TRUE(ledger().locked().value()->unconfirmed) << "in the lock file, so the next tuning judges it";
  trust_alice(true);
  EXPECT_FALSE(ledger().locked().value()->unconfirmed);
  fs::remove(project_ / "hone.trust");
  EXPECT_TRUE(ledger().locked().value()->unconfirmed);
  EXPECT_FALSE(ledger().recorded());
}

TEST_F(AdoptedRecord, CountsNoMoreOnceItsVariantIsWithdrawn) {
  ASSERT_EQ(why_not(signed_by_alice(good_)), "");
  ASSERT_TRUE(ledger().lock(*ledger().recorded()));
  ASSERT_TRUE(trust::TrustFile::update(project_ / "hone.trust", [](trust::TrustFile& file) -> Result<void> {
    file.withdrawn.insert(digest("void blur() {}"));
    return {};
  }));
  EXPECT_FALSE(ledger().recorded());
  EXPECT_EQ(why_not(signed_by_alice(good_)), "no trusted key signed it");
  EXPECT_TRUE(ledger().locked().value()->unconfirmed) << "so the next tuning judges it";
  ASSERT_TRUE(ledger().keep(good_, "void blur() {}"));
  EXPECT_FALSE(ledger().locked().value()->unconfirmed) << "judged here";
}

TEST_F(AdoptedRecord, IsRefusedIfNobodyTrustedSignedIt) {
  EXPECT_EQ(why_not(to_json(good_)), "no trusted key signed it");
  EXPECT_EQ(why_not(sign_record(to_json(good_), *trust::SigningKey::generate()).value()), "no trusted key signed it");
  EXPECT_EQ(why_not(test::replaced(signed_by_alice(good_), "cpu: g++", "cpu: G++")), "no trusted key signed it");
  EXPECT_FALSE(ledger().recorded());
}

TEST_F(AdoptedRecord, IsRefusedIfItIsOfOtherCodeWhoeverSignedIt) {
  const auto relabeled = [&](const std::function<void(Record&)>& change) {
    Record other = good_;
    change(other);
    return why_not(signed_by_alice(other));
  };
  EXPECT_EQ(relabeled([](Record& one) { one.key = cache::sha256("another"); }),
            "it is the record of another request key");
  EXPECT_EQ(relabeled([](Record& one) { one.signature = "void scan()"; }),
            "it is the record of another function or target");
  EXPECT_EQ(relabeled([](Record& one) { one.target = "aarch64"; }), "it is the record of another function or target");
  EXPECT_EQ(relabeled([](Record& one) { one.variant = digest("void other() {}"); }),
            "its variant does not fit this file")
      << "nobody has it";
  EXPECT_EQ(why_not(signed_by_alice(measured("void scan() {}")), "void scan() {}"),
            "its variant does not fit this file");
  EXPECT_FALSE(ledger().recorded());
}

TEST_F(AdoptedRecord, NeedsNoStoreOfTheUsers) {
  ASSERT_TRUE(os::write_file_atomically(folder_.path() / "cache" / "hone", "a file where a folder should be"));
  const auto adopted = ledger().adopt(signed_by_alice(good_), cache::bound_blob("void blur() {}", spec_.key));
  ASSERT_TRUE(adopted);
  ASSERT_TRUE(ledger().lock(*adopted));
  EXPECT_TRUE(ledger().locked().value());
}

TEST_F(AdoptedRecord, GivesWayToOneThatWasJudgedHere) {
  ASSERT_EQ(why_not(signed_by_alice(good_)), "");
  ASSERT_TRUE(ledger().lock(*ledger().recorded()));
  ASSERT_TRUE(ledger().keep(good_, "void blur() {}"));
  trust_alice(false);
  EXPECT_EQ(ledger().locked().value()->signed_by, "");
  EXPECT_FALSE(ledger().locked().value()->unconfirmed);
  EXPECT_TRUE(ledger().recorded());
}

TEST(Records, SurviveRoundTrip) {
  Record record;
  record.kernel = "blur";
  record.variant = cache::sha256("x");
  record.seed = 18446744073709551615u;
  record.lineage = {{4, "mutation", "tile(64)", {2, 3}, {2, 1.9, 2.1}, cache::sha256("y"), "0.80x on n=515"}};
  record.trials = {45, 44, 40, 9};
  record.reduction = Reduction{.lines_found = 90,
                               .lines = 20,
                               .left_out = {"unroll_full"},
                               .kept = {{"tile(64)", "strips", Speedup{2, 1.5, 3}, ""}, {"x", "", {}, "wrong"}},
                               .complete = true};
  const auto again = parse_record(to_json(record));
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(to_json(*again), to_json(record));
  EXPECT_EQ(again->seed, record.seed);
  EXPECT_EQ(again->lineage[0].parents, record.lineage[0].parents);
  EXPECT_EQ(again->lineage[0].not_accepted, "0.80x on n=515");
  EXPECT_EQ(again->reduction->lines, 20u);
  EXPECT_EQ(again->reduction->kept[0].gain->low, 1.5);
  EXPECT_FALSE(parse_record("{}"));
  EXPECT_FALSE(parse_record(to_json(record).substr(0, 100)));
}

TEST(Records, KeepOfExecutorAndProposerTheirKindOnly) {
  Record record;
  record.executor = "command:ssh ada@gpu1 hone-worker -";
  record.proposer = "replay:/home/ada/run.jsonl";
  const Record again = parse_record(to_json(record)).value();
  EXPECT_EQ(again.executor, "command");
  EXPECT_EQ(again.proposer, "replay");
}

}  // namespace
}  // namespace hone::lock
