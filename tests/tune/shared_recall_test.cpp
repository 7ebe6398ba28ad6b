// What a tuning makes of a colleague's record before it searches: what is said, what may be locked, what must be tried.
#include "tool/tune/shared_recall.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/bound_source.h"
#include "tests/replaced_text.h"
#include "tests/shared/known_store.h"
#include "tool/os/files/files.h"
#include "tool/shared/record_offers.h"

namespace hone::tune {
namespace {

namespace fs = std::filesystem;
using test::replaced;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using trust::SigningKey;

struct Notes final : report::Progress {
  void begin(const report::Run&) override {}
  void note(const std::string& line) override { lines.push_back(line); }
  void trial(const report::TrialNews&) override {}
  void end(const report::KernelResult&) override {}
  std::vector<std::string> lines;
};

class SharedRecallTest : public testing::Test {
 protected:
  SharedRecallTest() {
    ::setenv("XDG_CACHE_HOME", (folder.path() / "cache").c_str(), 1);
    spec.name = spec.qualified_name = "blur";
    spec.signature = "void blur()";
    spec.file = (folder.path() / "blur.cpp").string();
    spec.key = key;
    spec.target = "x86_64";
    unit.settings.lock = folder.path() / "hone.lock";
    unit.command.arguments = {"g++", "-O3", "-c", "blur.cpp"};
    lock::Record made;
    made.key = key;
    made.kernel = "blur";
    made.signature = spec.signature;
    made.target = spec.target;
    made.variant = cache::sha256(blob);
    made.speedup = {3, 2.9, 3.1};
    made.final.emplace();
    record = to_json(made);
    store.blobs[*made.variant] = blob;
    offer(*sign_record(record, alice));
  }
  void offer(const std::string& text) { store.records[key] = text; }
  void trust_alice() {
    ASSERT_TRUE(trust::TrustFile::update(folder.path() / "hone.trust", [&](trust::TrustFile& file) -> Result<void> {
      file.keys.push_back({alice.public_key(), "alice", ""});
      return {};
    }));
  }
  SharedRecall recall() {
    lock::Ledger ledger(spec, unit, [](const std::string&) {});
    SharedRecall found = recall_shared({spec, unit, options, settings}, offers, ledger, "", notes);
    EXPECT_FALSE(fs::exists(unit.settings.lock)) << "whoever asks may lock it";
    return found;
  }
  // Nothing of it may be locked, not by this tuning nor from the user's store by the next one.
  void expect_not_locked(const SharedRecall& found) {
    EXPECT_FALSE(found.record);
    EXPECT_FALSE(lock::Ledger(spec, unit, [](const std::string&) {}).recorded());
  }

  os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-shared-recall");
  const SigningKey alice = *SigningKey::generate();
  const cache::Digest key = cache::sha256("key");
  const std::string blob = cache::bound_blob("void blur() {}", key);
  std::string record;
  shared::KnownStore store;
  shared::RecordOffers offers{store};
  KernelSpec spec;
  project::ProjectUnit unit;
  project::TuneOptions options;
  project::Settings settings;
  Notes notes;
};

TEST_F(SharedRecallTest, TakesTheWordOfATrustedKey) {
  trust_alice();
  const SharedRecall found = recall();
  ASSERT_TRUE(found.record);
  EXPECT_EQ(found.record->signed_by, alice.public_key().text());
  EXPECT_TRUE(found.record->is_final());
  EXPECT_FALSE(found.to_verify);
  EXPECT_THAT(notes.lines, ElementsAre(AllOf(HasSubstr("the record of 'blur' in the shared store is signed by 'alice'"),
                                             HasSubstr("counts as judged here"))));
  EXPECT_TRUE(lock::Ledger(spec, unit, [](const std::string&) {}).recorded()) << "and need not be asked for again";
}

TEST_F(SharedRecallTest, OffersAStrangersVariantForTrial) {
  const SharedRecall found = recall();
  expect_not_locked(found);
  EXPECT_EQ(found.to_verify, "void blur() {}");
  EXPECT_THAT(notes.lines, ElementsAre(AllOf(HasSubstr("whom this project does not trust"),
                                             HasSubstr("hone cache trust " + alice.public_key().text()))));
}

TEST_F(SharedRecallTest, OffersAWithdrawnVariantForTrial) {
  trust_alice();
  ASSERT_TRUE(recall().record);
  ASSERT_TRUE(trust::TrustFile::update(folder.path() / "hone.trust", [&](trust::TrustFile& file) -> Result<void> {
    file.withdrawn.insert(cache::sha256(blob));
    return {};
  }));
  notes.lines.clear();
  const SharedRecall found = recall();
  expect_not_locked(found);
  EXPECT_EQ(found.to_verify, "void blur() {}");
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("is withdrawn in hone.trust, so it has to be judged here")));
}

TEST_F(SharedRecallTest, OffersAnUnsignedVariantForTrial) {
  trust_alice();
  offer(record);
  const SharedRecall found = recall();
  expect_not_locked(found);
  EXPECT_EQ(found.to_verify, "void blur() {}");
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("is not signed, so it has to be judged here")));
}

TEST_F(SharedRecallTest, RefusesAForgedRecordWithAWord) {
  trust_alice();
  offer(replaced(store.records[key], "3.1", "9.1"));
  const SharedRecall found = recall();
  expect_not_locked(found);
  EXPECT_FALSE(found.to_verify);
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("(https://cache.example) is refused: its signature is not of what")));
}

TEST_F(SharedRecallTest, RefusesWhatATrustedKeySignedForOtherCode) {
  trust_alice();
  offer(*sign_record(replaced(record, "void blur()", "void scan()"), alice));
  expect_not_locked(recall());
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("and not used: it is the record of another function or target")));
}

TEST_F(SharedRecallTest, TrustsNobodyIfTheTrustFileIsBroken) {
  ASSERT_TRUE(os::write_file_atomically(folder.path() / "hone.trust", "{ broken"));
  expect_not_locked(recall());
  EXPECT_THAT(notes.lines, ElementsAre(HasSubstr("hone.trust:1:3: the trust file is not whole JSON"),
                                       HasSubstr("whom this project does not trust")));
}

TEST_F(SharedRecallTest, SaysNothingOfWhatIsNotThere) {
  store.records.clear();
  expect_not_locked(recall());
  EXPECT_THAT(notes.lines, IsEmpty());
}

TEST_F(SharedRecallTest, SaysOnceThatTheStoreIsGone) {
  store.trouble = Error{"the shared store is gone", "", ""};
  expect_not_locked(recall());
  expect_not_locked(recall());
  EXPECT_THAT(notes.lines, ElementsAre("the shared store is gone"));
}

}  // namespace
}  // namespace hone::tune
