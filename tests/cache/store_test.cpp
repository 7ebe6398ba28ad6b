#include "cache/store.h"

#include <gmock/gmock.h>

#include <thread>

#include "tests/cache/folder.h"

namespace hone::cache {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class StoreTest : public FolderTest {
 protected:
  fs::path project() const { return path("project/hone"); }
  fs::path user() const { return path("user"); }
  const Digest key_ = sha256("a request");
};

TEST_F(StoreTest, ReturnsBlobByDigest) {
  Store store({{project()}}, warn());
  const std::string bytes("void f() {}\n\0\xff", 14);
  const auto digest = store.put_blob(bytes);
  ASSERT_TRUE(digest) << digest.error().message();
  EXPECT_EQ(*digest, sha256(bytes));
  EXPECT_EQ(store.blob(*digest), bytes);
  EXPECT_EQ(read(project() / "cas" / *digest), bytes);
  EXPECT_THAT(names(project() / "cas"), ElementsAre(*digest)) << "nothing staged is left";
  EXPECT_THAT(warnings_, IsEmpty());
}

TEST_F(StoreTest, ReturnsRecordByRequestKey) {
  Store store({{project()}}, warn());
  ASSERT_TRUE(store.put_record(key_, R"({"variant": "x"})"));
  EXPECT_EQ(store.record(key_), R"({"variant": "x"})");
  ASSERT_TRUE(store.put_record(key_, "{}"));
  EXPECT_EQ(store.record(key_), "{}") << "the last one stands";
}

TEST_F(StoreTest, MissesQuietlyWhenEntryIsAbsent) {
  const Store store({{project()}, {user()}}, warn());
  EXPECT_EQ(store.blob(missing()), std::nullopt);
  EXPECT_EQ(store.record(missing()), std::nullopt);
  EXPECT_THAT(warnings_, IsEmpty());
  EXPECT_FALSE(fs::exists(project())) << "reading creates nothing";
}

TEST_F(StoreTest, RejectsNamesThatAreNotDigests) {
  write(project() / "secret", "x");
  Store store({{project()}}, warn());
  EXPECT_EQ(store.blob("../secret"), std::nullopt);
  EXPECT_EQ(store.record("../secret"), std::nullopt);
  EXPECT_FALSE(store.put_record("../../escape", "{}"));
  EXPECT_FALSE(fs::exists(path("project/escape")));
}

TEST_F(StoreTest, RejectsRecordThatIsNotObject) {
  Store store({{project()}}, warn());
  for (const char* text : {"", "{", "[1]", "{} {}", "null"}) EXPECT_FALSE(store.put_record(key_, text)) << text;
  EXPECT_EQ(store.record(key_), std::nullopt);
}

TEST_F(StoreTest, ReadsNextLevelWithoutCopying) {
  Store later({{user()}}, warn());
  const Digest digest = *later.put_blob("variant");
  const Store both({{project()}, {user(), false}}, warn());
  EXPECT_EQ(both.blob(digest), "variant");
  EXPECT_FALSE(fs::exists(project()));
}

TEST_F(StoreTest, PutsIntoWritableLevelsOnly) {
  Store store({{project(), true, true}, {user()}, {path("shared"), false}}, warn());
  const Digest digest = *store.put_blob("variant");
  EXPECT_FALSE(fs::exists(project())) << "only promote() writes there";
  EXPECT_TRUE(fs::exists(user() / "cas" / digest));
  EXPECT_FALSE(fs::exists(path("shared")));
}

TEST_F(StoreTest, PromoteCopiesBlobIntoProject) {
  Store store({{project(), true, true}, {user()}}, warn());
  const Digest digest = *store.put_blob("variant");
  ASSERT_TRUE(store.promote(digest));
  ASSERT_TRUE(store.promote(digest)) << "twice is as good as once";
  EXPECT_EQ(read(project() / "cas" / digest), "variant");
  EXPECT_FALSE(store.promote(missing()));
}

TEST_F(StoreTest, IsSafeToShareBetweenThreads) {
  Store store({{project()}}, warn());
  std::vector<std::jthread> threads;
  std::atomic<int> wrong = 0;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i < 25; ++i) {
        const std::string bytes = "variant " + std::to_string((i + t) % 10);
        const auto digest = store.put_blob(bytes);
        wrong += !digest || store.blob(*digest) != bytes;
      }
    });
  threads.clear();
  EXPECT_EQ(wrong, 0);
  EXPECT_EQ(names(project() / "cas").size(), 10u);
}

class UserFolder : public ::testing::Test {
 protected:
  void SetUp() override { remember("XDG_CACHE_HOME", xdg_), remember("HOME", home_); }
  void TearDown() override { restore("XDG_CACHE_HOME", xdg_), restore("HOME", home_); }

 private:
  static void remember(const char* name, std::optional<std::string>& to) {
    if (const char* value = std::getenv(name)) to = value;
  }
  static void restore(const char* name, const std::optional<std::string>& from) {
    from ? ::setenv(name, from->c_str(), 1) : ::unsetenv(name);
  }
  std::optional<std::string> xdg_, home_;
};

TEST_F(UserFolder, FollowsXdgSpecification) {
  ::setenv("HOME", "/home/ada", 1);
  ::setenv("XDG_CACHE_HOME", "/scratch/ada", 1);
  EXPECT_EQ(user_folder().value(), "/scratch/ada/hone");
  ::setenv("XDG_CACHE_HOME", "relative", 1);
  EXPECT_EQ(user_folder().value(), "/home/ada/.cache/hone");
  ::unsetenv("XDG_CACHE_HOME");
  EXPECT_EQ(user_folder().value(), "/home/ada/.cache/hone");
  ::unsetenv("HOME");
  EXPECT_FALSE(user_folder());
}

}  // namespace
}  // namespace hone::cache
