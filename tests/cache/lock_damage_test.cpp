// A lock file with one bit another, or cut short anywhere: what still counts in it says what was locked.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "cache/lock_file.h"

namespace hone::cache {
namespace {

LockEntry whole_entry(const std::string& name) {
  LockEntry entry{name, "src/a.cpp", sha256(name), "x86_64 avx2", sha256(name + "'s variant"), 2, 1.5, 2.5, "cpu: g++"};
  entry.compiled_with = "gcc -O3";
  entry.signed_by = "ed25519:" + sha256("key");
  entry.tried = {{"sizes", "n 0 to 10"}};
  return entry;
}

using Linked =
    std::tuple<std::string, std::string, Digest, std::string, std::optional<Digest>, std::string, std::string>;

// All that decides what is linked where, of the entries that count.
std::set<Linked> linked(const LockFile& file) {
  std::set<Linked> all;
  for (const LockEntry& one : file.entries)
    if (file.why_not(one).empty())
      all.insert({one.name, one.file, one.key, one.target, one.variant, one.compiled_with, one.measured_on});
  return all;
}

void expect_no_other(const LockFile& good, const std::string& damaged, std::size_t at, unsigned& read) {
  const auto file = LockFile::parse(damaged, "f");
  if (!file) return;
  ++read;
  const std::set<Linked> before = linked(good), after = linked(*file);
  ASSERT_TRUE(std::ranges::includes(before, after)) << at << "\n" << damaged;
}

class LockDamage : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    for (int i = 0; i < GetParam(); ++i) good.put(whole_entry("blur" + std::to_string(i)));
  }
  LockFile good;
};
INSTANTIATE_TEST_SUITE_P(Entries, LockDamage, testing::Values(1, 2));

TEST_P(LockDamage, OfAnyBitLinksNothingElse) {
  const std::string text = good.text();
  unsigned read = 0;
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = text;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      ASSERT_NO_FATAL_FAILURE(expect_no_other(good, damaged, at, read));
    }
  EXPECT_GT(read, text.size()) << "letters of names and figures are letters and figures still";
}

TEST_P(LockDamage, OfItsEndIsAnError) {
  const std::string text = good.text();
  for (std::size_t size = 0; size + 1 < text.size(); ++size)
    ASSERT_FALSE(LockFile::parse(text.substr(0, size), "f")) << size;
}

TEST_P(LockDamage, OfABlankDoesNothing) {
  const std::string text = good.text();
  EXPECT_EQ(LockFile::parse(text.substr(0, text.size() - 1), "f")->text(), text);
  EXPECT_EQ(LockFile::parse(text + "\n", "f")->text(), text);
}

}  // namespace
}  // namespace hone::cache
