#include "cache/lock_merge.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/seal.h"

namespace hone::cache {
namespace {
using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

LockEntry tuned(const std::string& name, const std::string& text = "text", double low = 2) {
  LockEntry made{name, name + ".cpp", sha256(text), "x86_64", sha256(name + text + std::to_string(low)), low + 0.5,
                  low};
  made.speedup_high = low + 1;
  made.seal = seal_of(made);
  return made;
}

LockFile file(std::vector<LockEntry> entries) {
  return {std::move(entries), ""};
}

std::vector<std::string> merged(const LockFile& base, const LockFile& ours, const LockFile& theirs) {
  std::vector<std::string> names;
  for (const LockEntry& entry : merge(base, ours, theirs).entries)
    names.push_back(entry.name + " " + std::to_string(static_cast<int>(entry.speedup_low)));
  return names;
}

TEST(LockMerge, KeepsWhatBothSidesAdded) {
  EXPECT_THAT(merged({}, file({tuned("scan")}), file({tuned("blur")})), ElementsAre("blur 2", "scan 2"));
}

TEST(LockMerge, TakesTheSideThatChangedAnEntryOrRemovedIt) {
  const LockFile base = file({tuned("blur"), tuned("scan")});
  EXPECT_THAT(merged(base, base, file({tuned("blur", "text", 3)})), ElementsAre("blur 3"));
  EXPECT_THAT(merged(base, file({tuned("scan")}), base), ElementsAre("scan 2"));
}

TEST(LockMerge, KeepsAnEntryThatOneSideChangedAndTheOtherRemoved) {
  const LockFile base = file({tuned("blur")});
  EXPECT_THAT(merged(base, {}, file({tuned("blur", "text", 3)})), ElementsAre("blur 3"));
  EXPECT_THAT(merged(base, file({tuned("blur", "text", 3)}), {}), ElementsAre("blur 3"));
}

TEST(LockMerge, KeepsTheEntriesOfBothStatesOfAKernel) {
  const LockFile base = file({tuned("blur", "old")});
  const auto got = merge(base, file({tuned("blur", "mine")}), file({tuned("blur", "theirs")}));
  std::vector<Digest> keys;
  for (const LockEntry& entry : got.entries) keys.push_back(entry.key);
  EXPECT_THAT(keys, UnorderedElementsAre(sha256("mine"), sha256("theirs")));
}

TEST(LockMerge, TakesTheBetterEvidenceWhereBothSidesTunedOneState) {
  const LockFile base = file({tuned("blur")});
  EXPECT_THAT(merged(base, file({tuned("blur", "text", 3)}), file({tuned("blur", "text", 4)})), ElementsAre("blur 4"));
  LockEntry unconfirmed = tuned("blur", "text", 9);
  unconfirmed.unconfirmed = true;
  EXPECT_THAT(merged(base, file({unconfirmed}), file({tuned("blur", "text", 3)})), ElementsAre("blur 3"));
  LockEntry forged = tuned("blur", "text", 9);
  forged.variant = sha256("something else");
  EXPECT_THAT(merged(base, file({tuned("blur", "text", 3)}), file({forged})), ElementsAre("blur 3"));
}

TEST(LockMerge, MergesNothingIntoNothing) {
  EXPECT_THAT(merged({}, {}, {}), IsEmpty());
}

TEST(LockMerge, IsTheSameFromBothSides) {
  const LockFile base = file({tuned("a"), tuned("b"), tuned("c")});
  const LockFile ours = file({tuned("a", "text", 3), tuned("c"), tuned("d")});
  const LockFile theirs = file({tuned("a", "text", 4), tuned("b", "text", 5), tuned("e")});
  EXPECT_EQ(merge(base, ours, theirs).text(), merge(base, theirs, ours).text());
  const auto again = LockFile::parse(merge(base, ours, theirs).text(), "hone.lock");
  ASSERT_TRUE(again) << again.error().message();
}

TEST(LockMerge, SealsWhatHone01Wrote) {
  LockEntry old = tuned("blur"), other = tuned("scan");
  old.seal.clear();
  other.seal.clear();
  const LockFile got = merge(file({old}), file({old}), file({old, other}));
  EXPECT_EQ(got.entries.size(), 2u);
  for (const LockEntry& entry : got.entries) EXPECT_EQ(got.why_not(entry), "") << entry.name;
}

// In each of the three, as they are read.
LockFile with_sums(LockFile made) {
  for (LockEntry& entry : made.entries) entry.sum.text = sum_of(entry);
  return made;
}

TEST(LockMerge, WritesSumsOfWhatItMerged) {
  const LockFile base = with_sums(file({tuned("blur")}));
  LockFile ours = base, theirs = base;
  const Digest variant = *base.entries[0].variant;
  ours.entries[0].held_on["AMD EPYC 1234X"] = figure_of(variant, 2, 1.9, 2.1);
  theirs.entries[0].held_on["Intel Xeon 4321X"] = figure_of(variant, 3, 2.9, 3.1);
  const auto got = LockFile::parse(merge(base, with_sums(ours), with_sums(theirs)).text(), "hone.lock");
  ASSERT_TRUE(got);
  EXPECT_EQ(got->entries.at(0).held_on.size(), 2u);
  EXPECT_EQ(got->why_not(got->entries.at(0)), "");
}

TEST(LockMerge, TakesNothingOverThatDoesNotFitItsSum) {
  const LockFile base = with_sums(file({tuned("blur")}));
  LockFile damaged = base;
  damaged.entries[0].held_on["AMD EPYC 1234X"] = figure_of(*base.entries[0].variant, 0.8, 0.7, 0.9);
  LockFile measured = base;
  measured.entries[0].speedup_low = 2.2;
  EXPECT_THAT(merge(base, damaged, with_sums(measured)).entries.at(0).held_on, IsEmpty());
  const LockFile better = with_sums(file({tuned("blur", "text", 3)}));
  LockFile best = with_sums(file({tuned("blur", "text", 4)}));
  best.entries[0].unfinished = true;  // without a new sum
  best.entries[0].speedup_low = 9;
  EXPECT_THAT(merged(base, better, best), ElementsAre("blur 3"));
}

TEST(LockMerge, KeepsMembersOfNewerVersions) {
  const LockFile ours{{}, R"({"a":1,"b":1})"}, theirs{{}, R"({"b":2,"c":2})"};
  EXPECT_EQ(merge({}, ours, theirs).extra, R"({"b":1,"c":2,"a":1})");
}

}  // namespace
}  // namespace hone::cache
