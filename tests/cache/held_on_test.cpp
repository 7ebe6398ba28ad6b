// Figures of other machines in the lock file: kept, bound to their variant, merged.
#include "cache/held_on.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/lock_merge.h"
#include "cache/seal.h"
#include "tests/cache/lock_error.h"
#include "tests/replaced_text.h"

namespace hone::cache::held_on_test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

const Digest variant = sha256("variant"), key = sha256("key");
const std::string milan = "AMD EPYC 7763", sapphire = "Intel Xeon Platinum 8480C";

LockEntry blur(HeldOn held = {}, const Digest& linked = variant) {
  LockEntry entry{"blur", "src/blur.cpp", key, "x86_64", linked, 2, 1.9, 2.1};
  entry.held_on = std::move(held);
  entry.seal = seal_of(entry);
  return entry;
}

LockFile with(HeldOn held) {
  return {{blur(std::move(held))}, ""};
}

HeldOn merged(const HeldOn& base, const HeldOn& ours, const HeldOn& theirs) {
  const LockFile got = merge(with(base), with(ours), with(theirs));
  EXPECT_EQ(got.text(), merge(with(base), with(theirs), with(ours)).text()) << "from the other side";
  return got.entries.at(0).held_on;
}

std::vector<std::string> machines(const HeldOn& held) {
  std::vector<std::string> names;
  for (const auto& [machine, figure] : held) names.push_back(machine);
  return names;
}

const MachineFigure fast = figure_of(variant, 2, 1.9, 2.1), slow = figure_of(variant, 0.8, 0.7, 0.9);

TEST(HeldOn, SaysHowAVariantStands) {
  EXPECT_EQ(standing_of(fast), Standing::holds);
  EXPECT_EQ(standing_of(slow), Standing::slower);
  EXPECT_EQ(standing_of(figure_of(variant, 1.01, 0.98, 1.04)), Standing::even);
  EXPECT_EQ(standing_of(wrong_figure_of(variant)), Standing::wrong);
}

TEST(HeldOn, IsALineForEachKindAndComesBackAsItWas) {
  MachineFigure tuned = figure_of(variant, 3.14159, 3, 3.3);
  tuned.tuned = true;
  const LockFile lock = with({{milan, tuned}, {sapphire, wrong_figure_of(variant)}});
  const std::string of = variant.substr(0, 16);
  EXPECT_THAT(lock.text(), HasSubstr("      \"held_on\": {\n"
                                     "        \"AMD EPYC 7763\": { \"of\": \"" +
                                     of +
                                     "\", \"median\": 3.142, \"low\": 3.0, \"high\": 3.3, \"tuned\": true },\n"
                                     "        \"Intel Xeon Platinum 8480C\": { \"of\": \"" +
                                     of + "\", \"right\": false }\n      }"));
  const auto again = LockFile::parse(lock.text(), "hone.lock");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->entries, lock.entries);
}

TEST(HeldOn, IsNoPartOfSeal) {
  const LockFile lock = with({{milan, slow}});
  EXPECT_EQ(lock.entries[0].seal, blur().seal);
  EXPECT_EQ(lock.why_not(lock.entries[0]), "");
}

TEST(HeldOn, IsMistakeWithItsEntrysPlaceIfItIsNone) {
  const std::string text = with({{milan, figure_of(variant, 2, 1.8, 2.1)}}).text();
  const auto error = [&](const std::string& from, const std::string& to) {
    return error_of(test::replaced(text, from, to));
  };
  EXPECT_THAT(error("\"low\": 1.8", "\"low\": 2.5"),
              HasSubstr("hone.lock:4:5: this lock entry is not usable: \"held_on\": an interval is not around"));
  EXPECT_THAT(error("\"low\": 1.8", "\"low\": -1"), HasSubstr("not a number between 0 and a million"));
  EXPECT_THAT(error("\"low\": 1.8", "\"low\": \"x\""), HasSubstr("\"low\" is not a number"));
  EXPECT_THAT(error(variant.substr(0, 16) + "\"", "beef\""), HasSubstr("\"of\" is not a variant's digest"));
  EXPECT_THAT(error(milan, "root@10.0.0.1"), HasSubstr("which is no kind of machine"));
}

TEST(HeldOn, StaysIfTheSameVariantIsLockedAgain) {
  LockFile lock = with({{milan, fast}, {sapphire, slow}});
  MachineFigure fresh = figure_of(variant, 2.2, 2.1, 2.3);
  lock.put(blur({{milan, fresh}}));
  EXPECT_EQ(lock.entries.at(0).held_on, (HeldOn{{milan, fresh}, {sapphire, slow}}));
}

TEST(HeldOn, GoesWithItsVariant) {
  LockFile lock = with({{milan, fast}});
  lock.put(blur({}, sha256("another")));
  EXPECT_THAT(lock.entries.at(0).held_on, IsEmpty());
}

// As an older Hone leaves it, which keeps members that it does not know.
TEST(HeldOn, SaysNothingOfAnotherVariantThatItStandsBeside) {
  const LockEntry entry = blur({{milan, slow}}, sha256("another"));
  EXPECT_THAT(figures_about(entry.held_on, *entry.variant), IsEmpty());
}

TEST(HeldOn, RemembersWhereItWasTuned) {
  HeldOn held{{milan, fast}};
  held[milan].tuned = true;
  put_figure(held, milan, slow);
  EXPECT_TRUE(held[milan].tuned);
  EXPECT_EQ(held[milan].median, 0.8);
  put_figure(held, milan, figure_of(sha256("another"), 2, 1.9, 2.1));
  EXPECT_FALSE(held[milan].tuned);
}

TEST(HeldOnMerge, KeepsFiguresOfBothSides) {
  EXPECT_THAT(machines(merged({}, {{milan, fast}}, {{sapphire, slow}})), ElementsAre(milan, sapphire));
}

TEST(HeldOnMerge, TakesTheSideThatChangedAKind) {
  EXPECT_EQ(merged({{milan, slow}}, {{milan, slow}}, {{milan, fast}}), (HeldOn{{milan, fast}}));
  EXPECT_THAT(merged({{milan, slow}}, {{milan, slow}}, {}), IsEmpty());
}

TEST(HeldOnMerge, TakesWhatSpeaksAgainstTheVariantWhereBothChangedIt) {
  const MachineFigure slower = figure_of(variant, 0.7, 0.6, 0.75);
  EXPECT_EQ(merged({}, {{milan, fast}}, {{milan, slow}}), (HeldOn{{milan, slow}}));
  EXPECT_EQ(merged({{milan, fast}}, {{milan, slow}}, {{milan, slower}}), (HeldOn{{milan, slower}}));
  EXPECT_EQ(merged({}, {{milan, slower}}, {{milan, wrong_figure_of(variant)}}),
            (HeldOn{{milan, wrong_figure_of(variant)}}));
}

TEST(HeldOnMerge, KeepsOnlyWhatIsAboutTheVariantThatStays) {
  LockEntry better = blur({{milan, figure_of(sha256("better"), 3, 2.9, 3.1)}}, sha256("better"));
  better.speedup = 3, better.speedup_low = 2.9, better.speedup_high = 3.1, better.seal = seal_of(better);
  const LockFile got = merge(with({}), with({{sapphire, slow}}), {{better}, ""});
  EXPECT_EQ(got.entries.at(0).variant, sha256("better"));
  EXPECT_THAT(machines(got.entries.at(0).held_on), ElementsAre(milan));
}

// A figure alone is no reason to bring an entry back.
TEST(HeldOnMerge, LetsAnEntryGoThatOneSideRemovedAndTheOtherMeasured) {
  EXPECT_THAT(merge(with({}), {}, with({{milan, fast}})).entries, IsEmpty());
}

}  // namespace
}  // namespace hone::cache::held_on_test
