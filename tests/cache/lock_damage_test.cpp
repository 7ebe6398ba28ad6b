// A lock file with one bit another, or cut short anywhere: what still counts in it says what was locked, and what was
// found out about it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "cache/lock_file.h"
#include "tests/replaced_text.h"
#include "tool/os/files/files.h"

namespace hone::cache {
namespace {

LockEntry whole_entry(const std::string& name) {
  LockEntry entry{name, "src/a.cpp", sha256(name), "x86_64 avx2", sha256(name + "'s variant"), 2, 1.5, 2.5, "cpu: g++"};
  entry.compiled_with = "gcc -O3";
  entry.signed_by = "ed25519:" + sha256("key");
  entry.tried = {{"sizes", "n 0 to 10"}};
  entry.build_target = "app";
  entry.key_parts = sha256("parts");
  entry.unconfirmed = entry.unfinished = true;
  entry.held_on["AMD EPYC 1234X"] = figure_of(*entry.variant, 0.8, 0.7, 0.9);
  entry.held_on["Intel Xeon 4321X"] = wrong_figure_of(*entry.variant);
  return entry;
}

// An entry says what it said, and no more than that a seal or a sum is gone.
bool is_same(LockEntry entry, const LockEntry& good) {
  if (entry.seal.empty() || entry.sum.text.empty()) entry.extra = good.extra;
  if (entry.seal.empty()) entry.seal = good.seal;
  return entry == good;
}

void expect_no_other(const LockFile& good, const std::string& damaged, std::size_t at, unsigned& read) {
  const auto file = LockFile::parse(damaged, "f");
  if (!file) return;
  ++read;
  for (const LockEntry& one : file->entries)
    ASSERT_TRUE(!file->why_not(one).empty() ||
                std::ranges::any_of(good.entries, [&](const LockEntry& other) { return is_same(one, other); }))
        << at << "\n"
        << damaged;
}

class LockDamage : public testing::TestWithParam<int> {
 protected:
  void SetUp() override {
    for (int i = 0; i < GetParam(); ++i) good.put(whole_entry("blur" + std::to_string(i)));
  }
  LockFile good;
};
INSTANTIATE_TEST_SUITE_P(Entries, LockDamage, testing::Values(1, 2));

TEST_P(LockDamage, OfAnyBitIsNoticedOrChangesNothing) {
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

// Nobody blesses it by writing something else into the file.
TEST_P(LockDamage, StaysDamageInAFileThatIsWrittenAgain) {
  const std::string text = good.text();
  const os::TemporaryFolder folder = os::TemporaryFolder::create("hone-lock-damage").value();
  const auto path = folder.path() / "hone.lock";
  ASSERT_TRUE(os::write_file_atomically(path, test::replaced(text, "\"low\": 0.7", "\"low\": 0.6")));
  ASSERT_TRUE(LockFile::update(path, [](LockFile& file) { file.put(whole_entry("scan")); }));
  const LockFile now = LockFile::read(path).value();
  ASSERT_EQ(now.entries.size(), good.entries.size() + 1);
  EXPECT_THAT(now.why_not(now.entries[0]), testing::HasSubstr("does not fit its sum"));
  EXPECT_EQ(now.why_not(now.entries.back()), "");
}

TEST_P(LockDamage, OfABlankDoesNothing) {
  const std::string text = good.text();
  EXPECT_EQ(LockFile::parse(text.substr(0, text.size() - 1), "f")->text(), text);
  EXPECT_EQ(LockFile::parse(text + "\n", "f")->text(), text);
}

}  // namespace
}  // namespace hone::cache
