#include "tool/lock/earlier_variants.h"

#include <cstdlib>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/bound_source.h"
#include "tool/lock/ledger.h"
#include "tool/lock/other_entries.h"
#include "tool/os/files/files.h"

namespace hone::lock {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class EarlierVariants : public testing::Test {
 protected:
  void SetUp() override {
    setenv("XDG_CACHE_HOME", (folder_.path() / "cache").c_str(), 1);
    spec_.name = spec_.qualified_name = "blur";
    spec_.signature = "void blur()";
    spec_.file = (project_ / "src" / "blur.cpp").string();
    unit_.settings.lock = project_ / "hone.lock";
    unit_.command.arguments = {"g++", "-O3", "-c", "src/blur.cpp"};
    be("void blur ( ) { one ( ) ; }");
  }
  // The kernel's text, and with it its key.
  void be(const std::string& text, const std::string& target = "x86_64 avx2") {
    spec_.target = target;
    spec_.key_fields = {{"definition", text, spec_.file, 7}, {"target", target, "", 0}};
    spec_.key = cache::key_of({{"definition", text}, {"target", target}});
  }
  void lock(const std::string& source) {
    Record record;
    record.key = spec_.key;
    record.kernel = "blur";
    record.signature = spec_.signature;
    record.target = spec_.target;
    record.variant = cache::sha256(cache::bound_blob(source, spec_.key));
    record.name = "tile(8)";
    ASSERT_TRUE(Ledger(spec_, unit_, [](const std::string&) {}).keep(record, source));
  }
  std::vector<std::string> found() {
    std::vector<std::string> texts;
    for (const EarlierVariant& one : Ledger(spec_, unit_, [](const std::string&) {}).earlier())
      texts.push_back(std::string(to_string(one.fit)) + ": " + one.source);
    return texts;
  }
  std::string standing_now() {
    return standing(other_entries(cache::LockFile::read(unit_.settings.lock).value(), spec_, unit_), project_.string());
  }

  os::TemporaryFolder folder_ = *os::TemporaryFolder::create("hone-earlier");
  fs::path project_ = folder_.path() / "project";
  KernelSpec spec_;
  project::ProjectUnit unit_;
};

TEST_F(EarlierVariants, AreThoseOfOtherKeysBestFitFirst) {
  lock("void blur() { one(); }");
  EXPECT_THAT(found(), IsEmpty()) << "it is the kernel's own";
  be("void blur ( ) { one ( ) ; }", "x86_64");
  lock("void blur() { portable(); }");
  be("void blur ( ) { two ( ) ; }");
  EXPECT_THAT(found(), ElementsAre("exact: void blur() { one(); }", "compatible: void blur() { portable(); }"));
}

TEST_F(EarlierVariants, AreNotThoseOfOtherFunctionsTargetsOfTheBuildOrBrokenSeals) {
  lock("void blur() { one(); }");
  be("void blur ( ) { two ( ) ; }");
  unit_.settings.target = "app";
  EXPECT_THAT(found(), ElementsAre("exact: void blur() { one(); }")) << "of no build target's";
  auto file = cache::LockFile::read(unit_.settings.lock).value();
  file.entries[0].build_target = "other";
  ASSERT_TRUE(os::write_file_atomically(unit_.settings.lock, file.text()));
  EXPECT_THAT(found(), IsEmpty());
  file.entries[0].build_target = "app";
  file.entries[0].measured_on = "sm_90";
  ASSERT_TRUE(os::write_file_atomically(unit_.settings.lock, file.text()));
  EXPECT_THAT(found(), IsEmpty()) << "its seal is broken";
}

// Hone 0.1 wrote sources alone, noted no compiler, and made keys of fewer parts.
TEST_F(EarlierVariants, AreWhatHone01LockedToo) {
  const std::string source = "void blur() { one(); }";
  cache::Store store({{project_ / "hone", true}}, [](const std::string&) {});
  ASSERT_EQ(store.put_blob(source).value(), cache::sha256(source));
  const std::string key = cache::sha256("schema: 1");
  const std::string lock = R"({ "version": 1, "kernels": [ { "name": "blur", "file": "src/blur.cpp",
    "key": ")" + key + R"(", "target": "x86_64 avx2", "variant": ")" +
                           cache::sha256(source) + R"(",
    "speedup": { "median": 3.1, "low": 3.0, "high": 3.2 }, "verified": "cpu: g++ 12.2, 428 runs" } ] })";
  ASSERT_TRUE(os::write_file_atomically(unit_.settings.lock, lock));
  EXPECT_THAT(found(), ElementsAre("same features: " + source));
  EXPECT_FALSE(Ledger(spec_, unit_, [](const std::string&) {}).locked().value()) << "a candidate, and never linked";
}

TEST_F(EarlierVariants, AreNoneWhereBlobIsGone) {
  lock("void blur() { one(); }");
  be("void blur ( ) { two ( ) ; }");
  fs::remove_all(project_ / "hone");
  fs::remove_all(folder_.path() / "cache");
  EXPECT_THAT(found(), IsEmpty());
}

TEST_F(EarlierVariants, SayWhatChangedAsLongAsTheStoreKnows) {
  lock("void blur() { one(); }");
  be("void blur ( ) { two ( ) ; }");
  EXPECT_EQ(standing_now(), "is stale: `blur()` changed (src/blur.cpp:7)");
  fs::remove_all(folder_.path() / "cache");
  EXPECT_EQ(standing_now(), "is stale: `blur()` changed (src/blur.cpp:7)") << "a clone has hone/";
  fs::remove_all(project_ / "hone");
  EXPECT_EQ(standing_now(), "was tuned for another text, annotation, flags or target");
}

}  // namespace
}  // namespace hone::lock
