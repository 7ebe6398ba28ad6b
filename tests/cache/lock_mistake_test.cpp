// A lock file that a person, a merge or a crash has broken: one clear error with its place, and the file left alone.
#include <gmock/gmock.h>

#include <random>

#include "cache/json_place.h"
#include "cache/lock_file.h"
#include "tests/cache/folder.h"
#include "tests/cache/lock_error.h"
#include "tests/replaced_text.h"

namespace hone::cache {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

std::string good() {
  LockFile file;
  for (const char* name : {"blur", "scan"})
    file.put({name, "src/a.cpp", sha256(name), "x86_64", sha256("v"), 2, 1.5, 2.5, "cpu"});
  return file.text();
}

TEST(LockMistakes, AcceptsValidText) {
  EXPECT_EQ(error_of(good()), "");
}

TEST(LockMistakes, ReportsLineOfMergeConflict) {
  const std::string text = test::replaced(good(), "      \"target\": ", "<<<<<<< HEAD\n      \"target\": ");
  EXPECT_THAT(error_of(text), StartsWith("hone.lock:7:1: the lock file has unresolved merge conflicts; keep one side"));
  EXPECT_THAT(error_of(test::replaced(good(), "    },\n", "    },\n=======\n")),
              StartsWith("hone.lock:13:1: the lock file has unresolved"));
}

TEST(LockMistakes, RejectsTruncatedFile) {
  const std::string text = good();
  for (std::size_t cut = 0; cut + 2 < text.size(); ++cut) {
    const std::string error = error_of(text.substr(0, cut));
    ASSERT_THAT(error, HasSubstr("restore it from version control")) << cut;
    ASSERT_THAT(error, StartsWith("hone.lock:")) << cut;
  }
}

TEST(LockMistakes, ReportsPlaceOfSyntaxError) {
  EXPECT_THAT(error_of(test::replaced(good(), "\"src/a.cpp\"", "src/a.cpp")),
              StartsWith("hone.lock:6:15: the lock file is not whole JSON"));
}

TEST(LockMistakes, ReportsPlaceOfUnusableEntry) {
  EXPECT_THAT(error_of(test::replaced(good(), "      \"name\": \"scan\",\n", "")),
              StartsWith("hone.lock:13:5: this lock entry is not usable: \"name\" is missing"));
  EXPECT_THAT(error_of(test::replaced(good(), "\"" + sha256("v") + "\"", "\"beef\"")),
              HasSubstr("hone.lock:4:5: this lock entry is not usable: \"variant\" is not a digest"));
  EXPECT_THAT(error_of(test::replaced(good(), "\"" + sha256("blur") + "\"", "7")),
              HasSubstr("\"key\" is not a string"));
  EXPECT_THAT(error_of(test::replaced(good(), "2.0", "\"fast\"")), HasSubstr("\"median\" is not a number"));
  EXPECT_THAT(error_of(test::replaced(good(), "[\n", "[ 7,\n")), HasSubstr("an entry is not an object"));
}

TEST(LockMistakes, RejectsDuplicateEntry) {
  LockFile file = *LockFile::parse(good(), "hone.lock");
  file.entries.push_back(file.entries.front());
  EXPECT_THAT(error_of(file.text()), HasSubstr("'blur' is in the file twice"));
}

TEST(LockMistakes, AsksForNewerHoneOnNewerVersion) {
  EXPECT_EQ(error_of(test::replaced(good(), "\"version\": 1", "\"version\": 2")),
            "hone.lock: the lock file has version 2, and this Hone knows 1; use a newer Hone [hone-lock-newer]");
}

TEST(LockMistakes, RejectsOtherJson) {
  for (const char* text : {"[]", "{}", "7", "{\"version\": 1}", "{\"version\": 1, \"kernels\": {}}",
                           "{\"version\": \"1\", \"kernels\": []}"})
    EXPECT_NE(error_of(text), "") << text;
}

TEST(LockMistakes, ReportsNumberThatNothingHolds) {
  for (const char* number : {"1e999", "99999999999999999999999"})
    EXPECT_THAT(error_of(test::replaced(good(), "2.0", number)),
                StartsWith("hone.lock: the lock file is not usable JSON: "))
        << number;
}

TEST(LockMistakes, AcceptsByteOrderMark) {
  EXPECT_EQ(error_of("\xEF\xBB\xBF" + good()), "");
}

TEST(LockMistakes, RejectsDeepNesting) {
  EXPECT_THAT(error_of("{\"version\": 1, \"kernels\": [], \"x\": " + std::string(1'000'000, '[')),
              HasSubstr("nested too deep"));
}

TEST(JsonPlace, FindsElementAfterStringsAndOtherLists) {
  const std::string text = R"({"a": [1, 2], "kernels": [ {"x": [1, {}]}, 7, "},{", [8]], "b": [9]})";
  EXPECT_EQ(text.substr(element_offset(text, "kernels", 0), 4), R"({"x")");
  EXPECT_EQ(text.substr(element_offset(text, "kernels", 1), 1), "7");
  EXPECT_EQ(text.substr(element_offset(text, "kernels", 2), 5), R"("},{")");
  EXPECT_EQ(text.substr(element_offset(text, "kernels", 3), 3), "[8]");
  EXPECT_EQ(element_offset(text, "kernels", 4), 0u);
}

class LockFileOnDisk : public FolderTest {};

TEST_F(LockFileOnDisk, LeavesBrokenFileUntouched) {
  write(path("hone.lock"), "<<<<<<< HEAD\n");
  bool called = false;
  const auto updated = LockFile::update(path("hone.lock"), [&](LockFile&) { called = true; });
  ASSERT_FALSE(updated);
  EXPECT_THAT(updated.error().message(), HasSubstr("hone.lock:1:1: the lock file has unresolved merge conflicts"));
  EXPECT_FALSE(called);
  EXPECT_EQ(read(path("hone.lock")), "<<<<<<< HEAD\n");
}

TEST_F(LockFileOnDisk, RejectsFolderInsteadOfFile) {
  fs::create_directories(path("hone.lock"));
  EXPECT_FALSE(LockFile::read(path("hone.lock")));
}

TEST_F(LockFileOnDisk, ReportsUnwritableFolder) {
  const auto add = [](LockFile& file) { file.put({"blur", "a.cpp", sha256("k"), "x86_64", {}, 1, 1, 1, ""}); };
  write(path("file"), "");
  EXPECT_FALSE(LockFile::update(path("file") / "hone.lock", add));
  const auto updated = LockFile::update("/proc/hone.lock", add);  // a folder in which nobody creates files
  ASSERT_FALSE(updated);
  EXPECT_THAT(updated.error().message(), HasSubstr("cannot write the lock file"));
}

// Any text is a lock file, which then reads back to itself, or an error with a place in the text.
TEST(LockMutation, ReadsOrRejectsMutatedTextAsWhole) {
  std::mt19937 random(20240607);
  const auto pick = [&](std::size_t below) { return std::uniform_int_distribution<std::size_t>(0, below - 1)(random); };
  constexpr const char* kPieces[] = {"{",    "}",  "[",        "]",           ",",
                                     ":",    "\"", "\\",       "null",        "1e999",
                                     "-",    "\n", "<<<<<<< ", "\"version\"", "\"kernels\": []",
                                     "\xff", "{}"};
  unsigned good_ones = 0;
  for (int i = 0; i < 10'000; ++i) {
    std::string text = good();
    for (std::size_t edit = 0, edits = 1 + pick(3); edit < edits; ++edit) {
      const std::size_t at = pick(text.size() + 1);
      if (pick(2) == 0)
        text.erase(at, 1 + pick(40));
      else
        text.insert(at, kPieces[pick(std::size(kPieces))]);
    }
    const auto file = LockFile::parse(text, "f");
    if (!file) {
      ASSERT_THAT(file.error().where, StartsWith("f")) << text;
      continue;
    }
    ++good_ones;
    const auto again = LockFile::parse(file->text(), "f");
    ASSERT_TRUE(again) << text << "\n" << again.error().message();
    ASSERT_EQ(again->text(), file->text()) << text;
  }
  EXPECT_GT(good_ones, 100u);
}

}  // namespace
}  // namespace hone::cache
