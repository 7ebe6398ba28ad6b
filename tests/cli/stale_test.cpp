// A kernel that was tuned and then changed: what is said of it, and what becomes of the variant of before.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>

#include <nlohmann/json.hpp>

#include "cache/bound_source.h"
#include "cache/lock_file.h"
#include "run_program.h"
#include "small_project.h"
#include "tests/replaced_text.h"

namespace hone {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

// Its first candidate is the faster one, and little of it can be left out, so a search takes few seconds.
constexpr const char* scaled_twice = R"(static float scaled(float x) { return x * 2; }
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=20000) tolerance(rtol=1e-4)
void twice(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    float sum = 0;
    for (int k = 0; k < 8; ++k) sum += scaled(x[i]) * 0.125f;
    y[i] = sum;
  }
}
)";

// Tuned once; each test edits it.
class Stale : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    tuned = std::make_unique<SmallProject>(scaled_twice);
    const Ended ended = run(tuned->folder(), {"tune", "--trials", "1"});
    ASSERT_EQ(ended.code, 0) << ended.out << ended.err;
    lock_ = tuned->read(tuned->lock());
    database_ = tuned->read(database());
  }
  static void TearDownTestSuite() { tuned.reset(); }
  void SetUp() override {
    tuned->write("kernel.cpp", scaled_twice);
    tuned->write("hone.lock", lock_);
    tuned->write("build/compile_commands.json", database_);
    fs::remove_all(tuned->folder() / "build" / "hone");
  }
  static fs::path database() { return tuned->folder() / "build" / "compile_commands.json"; }

  static void edit(const std::string& from, const std::string& to) {
    tuned->write("kernel.cpp", test::replaced(tuned->read(tuned->folder() / "kernel.cpp"), from, to));
  }
  static void compile_with(const std::string& flags) {
    tuned->write("build/compile_commands.json", test::replaced(database_, "-O2", flags));
  }
  static Ended hone(const std::vector<std::string>& words) { return run(tuned->folder(), words); }
  static json listed() { return json::parse(hone({"list", "--json"}).out)["kernels"][0]; }
  // The text of what changed.
  static std::string change(std::size_t which = 0) { return listed()["changes"].at(which)["text"]; }
  static json tune(std::vector<std::string> more = {}) {
    more.insert(more.begin(), {"tune", "--trials", "1", "--json", "-"});
    const Ended ended = hone(more);
    said_ = ended.err;
    EXPECT_EQ(ended.code, 0) << ended.err;
    return json::parse(ended.out)["kernels"][0];
  }
  static std::vector<cache::LockEntry> entries() { return cache::LockFile::read(tuned->lock()).value().entries; }
  static cache::BoundSource blob(const cache::LockEntry& entry) {
    return cache::read_bound(tuned->read(tuned->folder() / "hone" / "cas" / *entry.variant));
  }

  static inline std::unique_ptr<SmallProject> tuned;
  static inline std::string lock_, database_, said_;
};

TEST_F(Stale, IsExplainedByTheTokenThatChanged) {
  EXPECT_EQ(listed()["fit"], "exact");
  EXPECT_EQ(listed()["changes"], json::array());
  edit("x * 2", "x * 3");
  const json kernel = listed();
  EXPECT_EQ(kernel["state"], "stale");
  EXPECT_EQ(kernel["fit"], "exact");
  EXPECT_EQ(kernel["changes"], json::array({{{"what", "helper"},
                                             {"text", "`scaled()` changed (kernel.cpp:1): `2` became `3`"},
                                             {"file", (tuned->folder() / "kernel.cpp").string()},
                                             {"line", 1}}}));
  EXPECT_THAT(hone({"list"}).out, HasSubstr("'twice' is stale: `scaled()` changed (kernel.cpp:1); build hone-tune"));
  EXPECT_THAT(hone({"list", "--explain"}).out, HasSubstr("since twice was tuned (its target fits: exact):\n"
                                                         "  `scaled()` changed (kernel.cpp:1): `2` became `3`\n"));
  EXPECT_THAT(hone({"show", "twice"}).out, HasSubstr("`2` became `3`"));
}

TEST_F(Stale, IsExplainedByClauseFlagAndInstructionSet) {
  edit("rtol=1e-4", "rtol=1e-3");
  EXPECT_EQ(change(), "the annotation changed (kernel.cpp:2): `tolerance(rtol=1e-4)` became `tolerance(rtol=1e-3)`");
  SetUp();
  compile_with("-O2 -mavx");
  EXPECT_THAT(change(), testing::StartsWith("the target changed: +avx"));
  EXPECT_EQ(listed()["fit"], "compatible");
  SetUp();
  compile_with("-O2 -fno-exceptions");
  EXPECT_THAT(change(), HasSubstr("+no-exceptions"));
}

TEST_F(Stale, IsNamedByTheBuildsNote) {
  edit("x * 2", "x * 3");
  const Ended built =
      hone({"cc", "--lock", tuned->lock().string(), "--", "g++", "-O2", "-c", "kernel.cpp", "-o", "k.o"});
  EXPECT_EQ(built.code, 0);
  EXPECT_THAT(built.err, HasSubstr("kernel.cpp:2: note: hone: 'twice' is stale: `scaled()` changed (kernel.cpp:1); "
                                   "the original is compiled"));
}

TEST_F(Stale, IsLockedAgainAfterOneVerification) {
  const cache::LockEntry before = entries().at(0);
  edit("x * 2", "x * 3");
  const json result = tune();
  EXPECT_EQ(result["outcome"], "locked again") << said_;
  EXPECT_EQ(result["trials"]["total"], 1);
  EXPECT_THAT(result["message"].get<std::string>(), HasSubstr("locked again after one verification"));
  ASSERT_EQ(entries().size(), 1u);
  const cache::LockEntry after = entries()[0];
  EXPECT_NE(after.key, before.key);
  EXPECT_EQ(blob(after).key, after.key) << "a blob names the key that it was judged under";
  EXPECT_EQ(blob(after).source, blob(before).source);
  EXPECT_FALSE(after.unconfirmed);
  EXPECT_EQ(listed()["state"], "tuned");
  EXPECT_EQ(tune()["outcome"], "already tuned");
  const json record = json::parse(tuned->read(tuned->folder() / "cache" / "hone" / "ac" / after.key));
  EXPECT_EQ(record["proposer"], "builtin") << "who found it stays known";
  EXPECT_FALSE(record["lineage"].empty());
}

TEST_F(Stale, IsJudgedUnderItsNewAnnotation) {
  edit("problem(n=20000)", "problem(n=18000)");
  EXPECT_EQ(tune()["outcome"], "locked again") << said_;
  EXPECT_THAT(entries().at(0).tried, testing::Not(testing::IsEmpty()));
}

TEST_F(Stale, IsLockedBesideTheOldWhereItsTargetIsCompatible) {
  compile_with("-O2 -mavx");
  EXPECT_EQ(tune()["outcome"], "locked again") << said_;
  EXPECT_EQ(entries().size(), 2u) << "builds for the other target keep theirs";
}

// The variant computes what the text was before. Its genome, on the new text, is the search's first candidate.
TEST_F(Stale, IsNeverLinkedIfWrongAndSeedsTheSearch) {
  const cache::LockEntry before = entries().at(0);
  edit("float sum = 0;", "float sum = 1;");
  const json result = tune();
  EXPECT_EQ(result["outcome"], "tuned") << said_;
  EXPECT_THAT(said_, HasSubstr("the earlier variant: wrong: "));
  EXPECT_EQ(result["trials"]["total"], 1);
  ASSERT_EQ(entries().size(), 1u);
  EXPECT_NE(blob(entries()[0]).source, blob(before).source);
  const auto name_in = [](const std::string& key) {
    return json::parse(tuned->read(tuned->folder() / "cache" / "hone" / "ac" / key))["name"];
  };
  EXPECT_EQ(name_in(entries()[0].key), name_in(before.key)) << "the same transformations, of another text";
}

TEST_F(Stale, IsAnEarlierVersionForAModelIfItIsWrong) {
  const cache::LockEntry before = entries().at(0);
  edit("float sum = 0;", "float sum = 4;");
  (void)hone({"tune", "--proposer", "command:echo no idea", "--strategy", "free", "--trials", "1"});
  json seeds;
  for (const auto& file : fs::directory_iterator(tuned->folder() / "build" / "hone" / "runs")) {
    const std::string text = tuned->read(file.path());
    if (file.path().string().ends_with(".calls.jsonl")) seeds = json::parse(text.substr(0, text.find('\n')))["seeds"];
  }
  ASSERT_EQ(seeds.size(), 1u);
  EXPECT_EQ(seeds[0]["source"], blob(before).source);
  EXPECT_EQ(seeds[0]["verdict"]["right"], false);
  EXPECT_EQ(entries(), std::vector{before}) << "what is wrong is not locked";
}

TEST_F(Stale, IsSearchedAllTheSameIfForced) {
  edit("x * 2", "x * 5");
  const json result = tune({"--force"});
  EXPECT_EQ(result["outcome"], "tuned") << said_;
  EXPECT_THAT(said_, HasSubstr("verifying the earlier variant"));
}

TEST_F(Stale, IsOnlyAFirstCandidateWithAnotherCompilersOptions) {
  edit("x * 2", "x * 7");
  auto lock = cache::LockFile::read(tuned->lock()).value();
  lock.entries.at(0).compiled_with = "clang -O2";
  cache::LockFile sealed;
  sealed.put(lock.entries.at(0));
  tuned->write("hone.lock", sealed.text());
  EXPECT_EQ(listed()["fit"], "none");
  const json result = tune();
  EXPECT_EQ(result["outcome"], "tuned") << said_;
  EXPECT_THAT(said_, HasSubstr("verifying the variant for clang -O2"));
  EXPECT_EQ(entries().size(), 2u);
}

TEST_F(Stale, IsSearchedIfNoStoreHasItsVariant) {
  edit("x * 2", "x * 9");
  auto lock = cache::LockFile::read(tuned->lock()).value();
  fs::remove(tuned->folder() / "hone" / "cas" / *lock.entries.at(0).variant);
  const fs::path kept = tuned->folder() / "cache" / "hone" / "cas" / *lock.entries.at(0).variant;
  const std::string bytes = tuned->read(kept);
  fs::remove(kept);
  EXPECT_EQ(tune()["outcome"], "tuned") << said_;
  tuned->write("hone/cas/" + *lock.entries.at(0).variant, bytes);
}

TEST_F(Stale, KeepsNoPathInWhatItIsExplainedBy) {
  const cache::LockEntry entry = entries().at(0);
  ASSERT_NE(entry.key_parts, "");
  const std::string parts = tuned->read(tuned->folder() / "hone" / "cas" / entry.key_parts);
  EXPECT_THAT(parts, HasSubstr("static float scaled ( float x )"));
  EXPECT_THAT(parts, Not(HasSubstr(tuned->folder().string())));
  EXPECT_THAT(parts, Not(HasSubstr("kernel.cpp")));
}

TEST_F(Stale, HasEvidenceOfAnotherCompilerUntilItIsRenewed) {
  auto lock = cache::LockFile::read(tuned->lock()).value();
  cache::LockEntry& entry = lock.entries.at(0);
  entry.evidence = "cpu: g++ 9.1.0, 100 pairs";
  entry.speedup = entry.speedup_low = entry.speedup_high = 77;
  entry.unconfirmed = true;
  tuned->write("hone.lock", lock.text());
  EXPECT_THAT(listed()["other_evidence"].at(0).get<std::string>(),
              testing::StartsWith("with g++ 9.1.0, and here is g++"));
  EXPECT_THAT(hone({"list"}).out, HasSubstr("'twice' was measured with g++ 9.1.0, and here is g++"));
  EXPECT_THAT(hone({"show", "twice"}).out, HasSubstr("measured  with g++ 9.1.0"));

  EXPECT_EQ(hone({"verify"}).code, 0);
  EXPECT_EQ(entries().at(0), entry) << "without --renew nothing is written";
  const Ended renewed = hone({"verify", "--renew", "--json"});
  EXPECT_EQ(renewed.code, 0) << renewed.err;
  EXPECT_EQ(json::parse(renewed.out)["kernels"][0]["renewed"], true);
  const cache::LockEntry after = entries().at(0);
  EXPECT_EQ(after.variant, entry.variant);
  EXPECT_LT(after.speedup, 77);
  EXPECT_FALSE(after.unconfirmed);
  EXPECT_EQ(listed()["other_evidence"], json::array());
  const json record = json::parse(tuned->read(tuned->folder() / "cache" / "hone" / "ac" / after.key));
  EXPECT_EQ(record["evidence"], after.evidence);
}

TEST_F(Stale, KeepsItsEntryIfWhatIsLockedIsWrongWhenRenewed) {
  auto lock = cache::LockFile::read(tuned->lock()).value();
  const std::string wrong =
      cache::bound_blob("void twice(const float* x, float* y, int n) { for (int i = 0; i < n; ++i) y[i] = x[i]; }\n",
                        lock.entries.at(0).key);
  lock.entries.at(0).variant = cache::sha256(wrong);
  cache::LockFile sealed;
  sealed.put(lock.entries.at(0));
  tuned->write("hone/cas/" + *lock.entries.at(0).variant, wrong);
  tuned->write("hone.lock", sealed.text());
  const std::string before = tuned->read(tuned->lock());
  const Ended renewed = hone({"verify", "--renew"});
  EXPECT_EQ(renewed.code, 1);
  EXPECT_THAT(renewed.out, HasSubstr("twice: not renewed, its entry stays: it is not right"));
  EXPECT_EQ(tuned->read(tuned->lock()), before);
}

}  // namespace
}  // namespace hone
