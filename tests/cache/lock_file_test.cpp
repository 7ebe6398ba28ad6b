#include "cache/lock_file.h"

#include <gmock/gmock.h>

#include "cache/seal.h"
#include "tests/cache/folder.h"

namespace hone::cache {
namespace {

using ::testing::HasSubstr;

LockEntry sealed(LockEntry entry) {
  entry.seal = seal_of(entry);
  return entry;
}

LockEntry entry(const std::string& name, const std::string& request = "r") {
  return sealed({name, "src/" + name + ".cpp", sha256(name + request), "x86_64 avx2", sha256(name + "'s variant"), 3.5,
                 3.25, 3.75, "cpu: g++ 12.2, 428 runs"});
}

class LockFileTest : public FolderTest {
 protected:
  fs::path lock() const { return path("hone.lock"); }
};

TEST_F(LockFileTest, ReadsMissingFileAsEmpty) {
  const auto file = LockFile::read(lock());
  ASSERT_TRUE(file);
  EXPECT_TRUE(file->entries.empty());
  EXPECT_EQ(file->text(), "{\n  \"version\": 1,\n  \"kernels\": []\n}\n");
}

TEST_F(LockFileTest, KeepsOrderOfTriedItems) {
  LockFile file;
  LockEntry tried = entry("blur");
  tried.tried = {{"values", "uniform, \"nan\""}, {"sizes", "n 0 to 64; 12 cases"}};
  file.put(tried);
  EXPECT_THAT(file.text(), HasSubstr("\"tried\": {\n        \"values\": \"uniform, \\\"nan\\\"\",\n"));
  const auto again = LockFile::parse(file.text(), "hone.lock");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->entries, file.entries);
}

TEST_F(LockFileTest, WritesOneMemberPerLineExceptDigests) {
  LockFile file;
  file.put(entry("blur"));
  LockEntry kept = entry("scan");
  kept.variant.reset();
  file.put(kept);
  EXPECT_EQ(file.text(),
            "{\n"
            "  \"version\": 1,\n"
            "  \"kernels\": [\n"
            "    {\n"
            "      \"name\": \"blur\",\n"
            "      \"file\": \"src/blur.cpp\",\n"
            "      \"target\": \"x86_64 avx2\",\n"
            "      \"key\": \"" +
                sha256("blurr") + "\", \"variant\": \"" + sha256("blur's variant") + "\", \"seal\": \"" +
                entry("blur").seal +
                "\",\n"
                "      \"speedup\": { \"median\": 3.5, \"low\": 3.25, \"high\": 3.75 },\n"
                "      \"verified\": \"cpu: g++ 12.2, 428 runs\",\n"
                "      \"sum\": \"" +
                file.entries[0].sum.text +
                "\"\n"
                "    },\n"
                "    {\n"
                "      \"name\": \"scan\",\n"
                "      \"file\": \"src/scan.cpp\",\n"
                "      \"target\": \"x86_64 avx2\",\n"
                "      \"key\": \"" +
                sha256("scanr") + "\", \"variant\": null, \"seal\": \"" + seal_of(kept) +
                "\",\n"
                "      \"speedup\": { \"median\": 3.5, \"low\": 3.25, \"high\": 3.75 },\n"
                "      \"verified\": \"cpu: g++ 12.2, 428 runs\",\n"
                "      \"sum\": \"" +
                file.entries[1].sum.text +
                "\"\n"
                "    }\n"
                "  ]\n"
                "}\n");
}

TEST_F(LockFileTest, ReadsBackWhatUpdateWrote) {
  ASSERT_TRUE(LockFile::update(lock(), [](LockFile& file) {
    file.put(entry("scan"));
    file.put(entry("blur \"3x3\"\n<float>"));
  }));
  const auto file = LockFile::read(lock());
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT(file->entries, ::testing::ElementsAre(entry("blur \"3x3\"\n<float>"), entry("scan")));
  EXPECT_EQ(read(lock()), file->text());
}

TEST_F(LockFileTest, WritesSameTextForAnyOrderOfChanges) {
  LockFile one, other;
  for (const char* name : {"c", "a", "b"}) one.put(entry(name));
  for (const char* name : {"b", "c", "a"}) other.put(entry(name));
  EXPECT_EQ(one.text(), other.text());
}

TEST_F(LockFileTest, OnlyAddsLinesForNewEntry) {
  LockFile file;
  file.put(entry("a")), file.put(entry("c"));
  const std::string before = file.text();
  file.put(entry("b"));
  const std::string after = file.text();
  std::size_t at = 0;
  for (const std::string& line : {std::string("\"a\""), std::string("\"c\"")}) at = after.find(line, at);
  EXPECT_NE(at, std::string::npos);
  const std::size_t lines =
      std::count(after.begin(), after.end(), '\n') - std::count(before.begin(), before.end(), '\n');
  EXPECT_EQ(lines, 9u);
}

TEST_F(LockFileTest, PutReplacesEntryOfSameKernelAndTarget) {
  LockFile file;
  file.put(entry("blur", "old"));
  LockEntry other_target = entry("blur", "other");
  other_target.target = "aarch64 neon";
  file.put(other_target);
  file.put(entry("blur", "new"));
  EXPECT_EQ(file.entries.size(), 2u);
  EXPECT_EQ(file.find(sha256("blurold")), nullptr);
  EXPECT_EQ(*file.find(sha256("blurnew")), entry("blur", "new"));
  EXPECT_EQ(*file.find(sha256("blurother")), sealed(other_target));
}

TEST_F(LockFileTest, KeepsEntryForEachBuildTarget) {
  LockFile file;
  LockEntry of_app = entry("blur", "app's flags"), of_test = entry("blur", "test's flags");
  of_app.build_target = "app", of_test.build_target = "app_test";
  file.put(of_app);
  file.put(of_test);
  EXPECT_EQ(*file.find(of_app.key), of_app);
  EXPECT_EQ(*file.find(of_test.key), of_test);

  LockEntry edited = entry("blur", "edited, test's flags");
  edited.build_target = "app_test";
  file.put(edited);
  EXPECT_EQ(*file.find(of_app.key), of_app);
  EXPECT_EQ(file.find(of_test.key), nullptr);
  EXPECT_EQ(LockFile::parse(file.text(), "hone.lock")->entries, file.entries);
}

TEST_F(LockFileTest, SharesEntryBetweenBuildTargetsOfSameKey) {
  LockFile file;
  LockEntry first = entry("blur"), second = entry("blur");
  first.build_target = "app", second.build_target = "app_test";
  file.put(first);
  file.put(second);
  EXPECT_EQ(file.entries, std::vector{first});
}

TEST_F(LockFileTest, KeepsEntryForEachMeasuredArchitectureFamily) {
  const auto measured = [](const std::string& architecture, double speedup) {
    LockEntry one = entry("blur");
    one.target = "cuda compute_80 compute_90 sm_80 sm_90";
    one.measured_on = architecture;
    one.speedup = speedup;
    return sealed(one);
  };
  LockFile file;
  file.put(measured("", 1.5));
  file.put(measured("sm_90", 2));
  EXPECT_EQ(file.entries, std::vector{measured("sm_90", 2)}) << "one that does not say where gives way";
  file.put(measured("sm_80", 3));
  file.put(measured("sm_86", 4));
  EXPECT_EQ(file.entries, (std::vector{measured("sm_86", 4), measured("sm_90", 2)})) << "of the same code";
  EXPECT_THAT(file.find_all(sha256("blurr")), ::testing::SizeIs(2));
  EXPECT_THAT(file.text(), HasSubstr("\"target\": \"cuda compute_80 compute_90 sm_80 sm_90\",\n      "
                                     "\"measured_on\": \"sm_86\",\n      \"key\""));
  EXPECT_EQ(LockFile::parse(file.text(), "hone.lock")->entries, file.entries);

  LockEntry edited = entry("blur", "edited");
  edited.target = measured("", 1).target;
  file.put(edited);
  EXPECT_EQ(file.entries, std::vector{sealed(edited)}) << "of the kernel as it was, all families' are stale";
}

TEST_F(LockFileTest, KeepsOneEntryForTargetOfOneFamily) {
  LockFile file;
  LockEntry one = entry("blur");
  one.target = "cuda compute_80 sm_80", one.measured_on = "sm_80";
  file.put(one);
  one.measured_on = "sm_90";
  file.put(one);
  EXPECT_EQ(file.entries, std::vector{sealed(one)});
}

TEST_F(LockFileTest, FindsEntriesOfKernelUnderOtherKeys) {
  LockFile file;
  file.put(entry("blur", "old"));
  EXPECT_THAT(file.find_others("blur", "src/blur.cpp", sha256("blurnew")),
              ::testing::ElementsAre(::testing::Pointee(entry("blur", "old"))));
  EXPECT_THAT(file.find_others("blur", "src/blur.cpp", sha256("blurold")), ::testing::IsEmpty());
  EXPECT_THAT(file.find_others("blur", "src/other.cpp", sha256("blurnew")), ::testing::IsEmpty());
}

TEST_F(LockFileTest, KeepsEntryForEachCompilerAndItsOptions) {
  const auto with = [](const std::string& compiled_with, const std::string& request) {
    LockEntry one = entry("blur", request);
    one.compiled_with = compiled_with;
    return sealed(one);
  };
  LockFile file;
  file.put(entry("blur", "of nobody knows which"));
  file.put(with("gcc -O3", "gcc"));
  EXPECT_EQ(file.entries, std::vector{with("gcc -O3", "gcc")}) << "one that does not say gives way";
  file.put(with("clang -O3", "clang"));
  file.put(with("gcc -O0", "slow"));
  file.put(with("gcc -O3", "gcc, edited"));
  EXPECT_EQ(file.entries,
            (std::vector{with("clang -O3", "clang"), with("gcc -O0", "slow"), with("gcc -O3", "gcc, edited")}));
  EXPECT_THAT(file.text(), HasSubstr("\"compiled_with\": \"gcc -O0\",\n"));
  EXPECT_EQ(LockFile::parse(file.text(), "hone.lock")->entries, file.entries);
}

TEST_F(LockFileTest, KeepsUnknownMembers) {
  LockFile file;
  file.put(entry("blur")), file.put(entry("scan"));
  std::string text = file.text();
  text.insert(text.find("\"kernels\""), "\"generator\": { \"name\": \"hone 9\" },\n  ");
  text.insert(text.find("\"verified\""), "\"note\": [1, \"two\"],\n      ");
  text.insert(text.find(" }", text.find("\"median\"")), ", \"level\": 0.99");
  write(lock(), text);
  ASSERT_TRUE(LockFile::update(lock(), [](LockFile& changed) {
    changed.put(entry("aaa"));
    changed.put(entry("blur", "edited"));
  }));
  const std::string after = read(lock());
  EXPECT_THAT(after, HasSubstr("  \"generator\": {\"name\":\"hone 9\"},\n"));
  EXPECT_THAT(after, HasSubstr("      \"note\": [1,\"two\"]\n"));
  EXPECT_THAT(after, HasSubstr("\"high\": 3.75, \"level\": 0.99 }"));
  EXPECT_EQ(LockFile::read(lock())->text(), after) << "and kept again";
}

TEST_F(LockFileTest, RoundsSpeedupsToFourDigits) {
  LockFile file;
  LockEntry measured = entry("blur");
  measured.speedup = 3.0871934028374, measured.speedup_low = 12345.6, measured.speedup_high = 1;
  file.put(measured);
  EXPECT_THAT(file.text(), HasSubstr("{ \"median\": 3.087, \"low\": 12350.0, \"high\": 1.0 }"));
}

TEST_F(LockFileTest, StaysReadableWithNonUtf8Names) {
  ASSERT_TRUE(LockFile::update(lock(), [](LockFile& file) { file.put(entry("bl\xffr")); }));
  EXPECT_TRUE(LockFile::read(lock()));
}

TEST_F(LockFileTest, DoesNotRewriteFileWhenNothingChanges) {
  ASSERT_TRUE(LockFile::update(lock(), [](LockFile& file) { file.put(entry("blur")); }));
  const auto inode = [this] {
    struct stat status {};
    ::stat(lock().c_str(), &status);
    return status.st_ino;
  };
  const auto before = inode();
  ASSERT_TRUE(LockFile::update(lock(), [](LockFile& file) { file.put(entry("blur")); }));
  EXPECT_EQ(inode(), before);
  ASSERT_TRUE(LockFile::update(lock(), [](LockFile& file) { file.put(entry("scan")); }));
  EXPECT_NE(inode(), before);
}

TEST_F(LockFileTest, LeavesNoTemporaryFiles) {
  ASSERT_TRUE(LockFile::update(path("new/folder/hone.lock"), [](LockFile& file) { file.put(entry("blur")); }));
  EXPECT_THAT(names(path("new/folder")), ::testing::ElementsAre("hone.lock"));
}

TEST_F(LockFileTest, KeepsSymbolicLink) {
  write(path("real/one.lock"), LockFile{}.text());
  fs::create_symlink("real/one.lock", path("link.lock"));
  fs::create_symlink(path("link.lock"), lock());
  ASSERT_TRUE(LockFile::update(lock(), [](LockFile& file) { file.put(entry("blur")); }));
  EXPECT_TRUE(fs::is_symlink(lock()));
  EXPECT_TRUE(fs::is_symlink(path("link.lock")));
  EXPECT_EQ(LockFile::read(path("real/one.lock"))->entries.size(), 1u);
}

TEST_F(LockFileTest, WritesThroughDanglingLink) {
  fs::create_symlink("real/one.lock", lock());
  ASSERT_TRUE(LockFile::update(lock(), [](LockFile& file) { file.put(entry("blur")); }));
  EXPECT_TRUE(fs::is_symlink(lock()));
  EXPECT_EQ(LockFile::read(path("real/one.lock"))->entries.size(), 1u);
}

TEST_F(LockFileTest, RejectsCircularLink) {
  fs::create_symlink("b.lock", path("a.lock"));
  fs::create_symlink("a.lock", path("b.lock"));
  EXPECT_FALSE(LockFile::update(path("a.lock"), [](LockFile&) {}));
}

}  // namespace
}  // namespace hone::cache
