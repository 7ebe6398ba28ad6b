#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/lock_changes.h"

namespace hone::cache {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

LockEntry judged(const std::string& name, char key, char variant, const std::string& compiled_with = "gcc -O3") {
  LockEntry entry;
  entry.name = name;
  entry.file = "a.cpp";
  entry.target = "x86_64";
  entry.compiled_with = compiled_with;
  entry.key = Digest(64, key);
  if (variant) entry.variant = Digest(64, variant);
  entry.speedup = entry.speedup_high = 2;
  return entry;
}

LockFile locked(std::vector<LockEntry> entries) {
  LockFile lock;
  for (LockEntry& one : entries) lock.put(std::move(one));
  return lock;
}

std::vector<std::string> in_words(const LockChanges& changes) {
  std::vector<std::string> words;
  for (const LockChange& change : changes.changes)
    words.push_back((change.after ? change.after->name : change.before->name) + " " + to_string(change.outcome));
  return words;
}

TEST(LockChanges, AreNoneBetweenEqualFiles) {
  const LockFile lock = locked({judged("a", '1', '2'), judged("b", '3', 0)});
  const LockChanges changes = changes_between(lock, lock);
  EXPECT_THAT(in_words(changes), IsEmpty());
  EXPECT_EQ(changes.unchanged, 2u);
}

TEST(LockChanges, NameNewReplacedMeasuredAndDroppedEntries) {
  LockEntry measured = judged("c", '5', '6');
  measured.speedup = 2.5;
  measured.speedup_high = 3;
  const LockChanges changes = changes_between(
      locked({judged("b", '3', '4'), judged("c", '5', '6'), judged("d", '7', '8'), judged("e", '9', 0)}),
      locked({judged("a", '1', '2'), judged("b", 'a', 'b'), measured, judged("e", '9', 0)}));
  EXPECT_THAT(in_words(changes), ElementsAre("a new", "b replaced", "c measured again", "d dropped"));
  EXPECT_EQ(changes.unchanged, 1u);
  EXPECT_EQ(changes.changes[1].before->variant, Digest(64, '4'));
}

TEST(LockChanges, KeepEntriesOfTwoCompilersApart) {
  const LockFile before = locked({judged("a", '1', '2', "gcc -O3"), judged("a", '3', '4', "clang -O3")});
  const LockFile after = locked({judged("a", '5', '6', "gcc -O3"), judged("a", '3', '4', "clang -O3")});
  const LockChanges changes = changes_between(before, after);
  EXPECT_THAT(in_words(changes), ElementsAre("a replaced"));
  EXPECT_EQ(changes.changes[0].before->compiled_with, "gcc -O3");
  EXPECT_EQ(changes.unchanged, 1u);
}

TEST(LockChanges, TakeAnEntryThatSaysNoCompilerForTheOneThatTookItsPlace) {
  const LockChanges changes = changes_between(locked({judged("a", '1', '2', "")}), locked({judged("a", '3', '4')}));
  EXPECT_THAT(in_words(changes), ElementsAre("a replaced"));
}

TEST(LockChanges, DoNotCountHowAnEntryIsSealed) {
  LockFile unsealed = locked({judged("a", '1', '2')});
  unsealed.entries[0].seal.clear();
  EXPECT_EQ(changes_between(unsealed, locked({judged("a", '1', '2')})).unchanged, 1u);
}

}  // namespace
}  // namespace hone::cache
