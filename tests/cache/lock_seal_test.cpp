// Which entries of a lock file are still what was locked: after merges, edits by hand, and with files of Hone 0.1.
#include <gmock/gmock.h>

#include "cache/lock_file.h"
#include "cache/seal.h"
#include "tests/cache/lock_error.h"
#include "tests/replaced_text.h"

namespace hone::cache {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

LockEntry sealed_entry(const std::string& name, const std::string& target = "x86_64") {
  return {name, "src/a.cpp", sha256(name), target, sha256(name + "'s variant"), 2, 1.5, 2.5, "cpu"};
}

LockFile file_of_two() {
  LockFile file;
  file.put(sealed_entry("blur"));
  file.put(sealed_entry("scan"));
  return file;
}

LockFile read(const std::string& text) {
  auto file = LockFile::parse(text, "hone.lock");
  EXPECT_TRUE(file) << file.error().message();
  return file.value_or(LockFile{});
}

std::vector<std::string> refused(const LockFile& file) {
  std::vector<std::string> names;
  for (const LockEntry& one : file.entries)
    if (!file.why_not(one).empty()) names.push_back(one.name);
  return names;
}

// As Hone 0.1 wrote it.
constexpr const char* kUnsealed = R"({
  "version": 1,
  "kernels": [
    {
      "name": "blur",
      "file": "src/blur.cpp",
      "key": "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
      "target": "x86_64 avx2",
      "build_target": "app",
      "variant": "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb",
      "speedup": { "median": 3.1, "low": 3.0, "high": 3.2 },
      "verified": "cpu: g++ 12.2, 428 runs"
    },
    {
      "name": "scan",
      "file": "src/scan.cpp",
      "key": "cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc",
      "target": "x86_64 avx2",
      "variant": null,
      "speedup": { "median": 1.0, "low": 1.0, "high": 1.0 },
      "verified": "cpu: g++ 12.2, 45 trials"
    }
  ]
}
)";

TEST(LockSeal, HoldsForPutEntries) {
  EXPECT_TRUE(refused(file_of_two()).empty());
  EXPECT_TRUE(refused(read(file_of_two().text())).empty());
}

TEST(LockSeal, BreaksWhenAnySealedMemberIsEdited) {
  const std::string good = file_of_two().text();
  for (const auto& [from, to] : {std::pair{sha256("blur's variant"), sha256("scan's variant")},
                                 {sha256("blur"), sha256("edited")},
                                 {"blur", "blur2"},
                                 {"x86_64", "x86_64 avx2"},
                                 {"src/a.cpp", "src/b.cpp"},
                                 {"x86_64", "x86_64\", \"measured_on\": \"sm_90"}})
    EXPECT_EQ(refused(read(test::replaced(good, "\"" + from + "\"", "\"" + to + "\""))).size(), 1u) << from;
}

TEST(LockSeal, StaysBrokenWhenAnotherKernelIsPut) {
  LockFile file = read(test::replaced(file_of_two().text(), sha256("blur's variant"), sha256("other")));
  file.put(sealed_entry("third"));
  EXPECT_EQ(refused(read(file.text())), std::vector<std::string>{"blur"});
  file.put(sealed_entry("blur"));
  EXPECT_TRUE(refused(read(file.text())).empty()) << "tuned again";
}

TEST(LockSeal, IsRequiredInSealedFile) {
  LockFile file = file_of_two();
  file.entries[1].seal.clear();
  EXPECT_EQ(refused(read(file.text())), std::vector<std::string>{"scan"});
}

TEST(LockSeal, IsNotRequiredInUnsealedFile) {
  const LockFile file = read(kUnsealed);
  EXPECT_EQ(file.entries.size(), 2u);
  EXPECT_FALSE(file.is_sealed());
  EXPECT_TRUE(refused(file).empty());
}

TEST(LockSeal, CoversAllEntriesAfterFirstPut) {
  LockFile file = read(kUnsealed);
  file.put(sealed_entry("third"));
  EXPECT_TRUE(refused(read(file.text())).empty());
  for (const LockEntry& one : file.entries) EXPECT_EQ(one.seal, seal_of(one)) << one.name;
}

TEST(LockSeal, CoversNonUtf8NamesAsWritten) {
  LockFile file;
  file.put(sealed_entry("bl\xffr"));
  EXPECT_TRUE(refused(read(file.text())).empty());
}

TEST(LockSeal, KeepsOneEntryForKernelAfterTargetChange) {
  LockFile file = file_of_two();
  LockEntry again = sealed_entry("blur", "x86_64 avx2");
  file.put(again);
  EXPECT_EQ(file.find_all(again.key).size(), 1u);
}

TEST(LockSum, BreaksWhenAnyOtherMemberIsEdited) {
  LockFile file;
  LockEntry entry = sealed_entry("blur");
  entry.signed_by = "ed25519:" + sha256("key");
  entry.unconfirmed = true;
  entry.held_on["AMD EPYC 1234X"] = figure_of(*entry.variant, 0.8, 0.7, 0.9);
  file.put(entry);
  for (const auto& [from, to] : {std::pair{"\"unconfirmed\"", "\"unconfirmes\""},
                                 {"\"signed_by\"", "\"signed_be\""},
                                 {"0.9 }", "1.9 }"},
                                 {"EPYC 1234X", "EPYC 1235X"},
                                 {"2.5", "3.5"}}) {
    const LockFile edited = read(test::replaced(file.text(), from, to));
    EXPECT_THAT(edited.why_not(edited.entries.at(0)), HasSubstr("does not fit its sum")) << from;
  }
}

TEST(LockSum, IsWrittenAnewWithWhatIsChangedInPlace) {
  LockFile file = file_of_two();
  file.entries[0].unfinished = true;
  EXPECT_THAT(refused(read(file.text())), testing::IsEmpty());
}

// An older Hone keeps members that it does not know, also where it locks another variant.
TEST(LockSum, OfAnotherVariantSaysNothing) {
  LockFile file = file_of_two();
  const std::string sum = file.entries[0].sum.text;
  LockEntry other = sealed_entry("blur");
  other.variant = sha256("found by an older Hone");
  other.seal = seal_of(other);
  other.sum.text = sum;
  EXPECT_EQ(file.why_not(other), "");
}

TEST(LockSum, IsNotAskedOfEntriesOfBefore) {
  LockFile file = file_of_two();
  for (LockEntry& entry : file.entries) entry.sum.text.clear();
  file.entries[0].speedup = 7;
  const std::string text = file.text();
  EXPECT_THAT(text, testing::Not(HasSubstr("\"sum\"")));
  EXPECT_THAT(refused(read(text)), testing::IsEmpty());
  EXPECT_EQ(read(text).text(), text);
}

TEST(LockDuplicates, ReportPlaceOfRepeatedMember) {
  const std::string good = file_of_two().text(), key = "\"key\": \"" + sha256("blur") + "\"";
  EXPECT_THAT(error_of(test::replaced(good, key, key + ",\n\"variant\": null")),
              StartsWith("hone.lock:9:18: the lock file has a member twice; keep the one"));
  EXPECT_THAT(error_of(test::replaced(good, key, "\"\\u006bey\": \"" + sha256("x") + "\", " + key)),
              HasSubstr("twice"));
  EXPECT_THAT(error_of(test::replaced(good, "\"version\": 1", "\"version\": 1, \"version\": 1")),
              HasSubstr("hone.lock:2:17"));
  EXPECT_THAT(error_of(test::replaced(good, "\"low\": 1.5", "\"low\": 1.5, \"low\": 2.5")), HasSubstr("twice"));
}

TEST(LockDuplicates, RejectSameKeyUnderAnotherTarget) {
  LockFile file = file_of_two();
  LockEntry other = file.entries.front();
  other.target = "x86_64 avx2";
  other.variant = sha256("another");
  other.seal = seal_of(other);
  file.entries.push_back(other);
  EXPECT_THAT(error_of(file.text()), HasSubstr("'blur' is in the file twice for one key"));
}

}  // namespace
}  // namespace hone::cache
