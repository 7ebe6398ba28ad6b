// The list of keys that a project trusts: what it looks like, and what becomes of damaged ones.
#include "tool/trust/trust_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <thread>

#include "tests/replaced_text.h"
#include "tests/trust/weak_keys.h"
#include "tool/os/files/files.h"
#include "tool/trust/signing_key.h"

namespace hone::trust {
namespace {

namespace fs = std::filesystem;
using test::replaced;
using testing::HasSubstr;
using testing::StartsWith;

const std::string first = "ed25519:1" + std::string(63, '1'), second = "ed25519:2" + std::string(63, '2');

TrustFile two() {
  return {{{*PublicKey::parse(second), "ci", ""}, {*PublicKey::parse(first), "alice", ""}}, ""};
}
std::string error_of(const std::string& text) {
  const auto file = TrustFile::parse(text, "hone.trust");
  return file ? "" : file.error().message();
}

TEST(TrustFile, HasOneKeyALineSortedByName) {
  EXPECT_EQ(two().text(), "{\n  \"version\": 1,\n  \"keys\": [\n    { \"key\": \"" + first +
                              "\", \"name\": \"alice\" },\n    { \"key\": \"" + second +
                              "\", \"name\": \"ci\" }\n  ]\n}\n");
  EXPECT_EQ(TrustFile::parse(two().text(), "f")->text(), two().text());
  EXPECT_EQ(TrustFile{}.text(), "{\n  \"version\": 1,\n  \"keys\": []\n}\n");
}

TEST(TrustFile, FindsKeysAndNames) {
  const TrustFile file = two();
  EXPECT_EQ(file.find(*PublicKey::parse(first))->name, "alice");
  EXPECT_EQ(file.find_name("ci")->key.text(), second);
  EXPECT_EQ(file.find(SigningKey::generate()->public_key()), nullptr);
  EXPECT_EQ(file.find_name("bob"), nullptr);
}

TEST(TrustFile, ListsWhatIsWithdrawn) {
  TrustFile file = two();
  const std::string as_before = file.text();
  file.withdrawn = {cache::sha256("a variant"), cache::sha256("a record")};
  const auto again = TrustFile::parse(file.text(), "f");
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->withdrawn, file.withdrawn);
  EXPECT_EQ(again->text(), file.text());
  EXPECT_EQ(TrustFile::parse(as_before, "f")->text(), as_before);
  EXPECT_THAT(error_of(replaced(file.text(), "\"withdrawn\": [", "\"withdrawn\": [7,")),
              HasSubstr("\"withdrawn\" in the trust file is no list of digests"));
}

TEST(TrustFile, KeepsMembersThatItDoesNotKnow) {
  const std::string text = replaced(replaced(two().text(), "\"name\": \"ci\"", "\"name\": \"ci\", \"since\": [1, {}]"),
                                    "  \"keys\"", "  \"note\": \"by two\",\n  \"keys\"");
  const auto file = TrustFile::parse(text, "f");
  ASSERT_TRUE(file) << file.error().message();
  EXPECT_THAT(file->text(), HasSubstr("\"name\": \"ci\", \"since\": [1,{}] }"));
  EXPECT_THAT(file->text(), HasSubstr("  \"note\": \"by two\",\n"));
}

TEST(TrustFile, SaysWhatIsWrongAndWhere) {
  const std::string good = two().text();
  EXPECT_THAT(error_of("<<<<<<< HEAD\n" + good), StartsWith("hone.trust:1:1: the trust file has unresolved merge"));
  EXPECT_THAT(error_of(replaced(good, "[", "")), StartsWith("hone.trust:5:5: the trust file is not whole JSON"));
  EXPECT_THAT(error_of(replaced(good, first, first.substr(1))),
              StartsWith("hone.trust:4:5: this trusted key is not usable: this is no public key"));
  EXPECT_THAT(error_of(replaced(good, second, first)),
              StartsWith("hone.trust:5:5: this trusted key is not usable: the key is in the file twice"));
  EXPECT_THAT(error_of(replaced(good, "\"ci\"", "\"alice\"")),
              StartsWith("hone.trust:5:5: this trusted key is not usable: another key has its name"));
  EXPECT_THAT(error_of(replaced(good, "\"ci\"", "7")), HasSubstr("its \"name\" is not a string"));
  EXPECT_THAT(error_of(replaced(good, "{ \"key\"", "{ \"kee\"")), HasSubstr("it has no \"key\""));
  EXPECT_THAT(error_of(replaced(good, "\"name\": \"ci\"", "\"key\": \"x\"")), HasSubstr("has a member twice"));
  EXPECT_EQ(error_of(replaced(good, "\"version\": 1", "\"version\": 2")),
            "hone.trust: the trust file has version 2, and this Hone knows 1; use a newer Hone [hone-trust-file]");
  EXPECT_THAT(error_of("[" + std::string(100'000, '[')), HasSubstr("nested too deep"));
  for (const char* text :
       {"", "[]", "{}", "7", "{\"version\": 1}", "{\"version\": 1, \"keys\": {}}", "{\"version\": 1, \"keys\": [7]}"})
    EXPECT_NE(error_of(text), "") << text;
}

TEST(TrustFile, NamesNoKeyWithWhichAnybodyCanSign) {
  for (const std::string& hex : small_order_keys())
    EXPECT_THAT(error_of(replaced(two().text(), first, "ed25519:" + hex)), HasSubstr("weak")) << hex;
}

// What a flip or a cut makes of it trusts nobody whom the whole file does not trust, but for a key that nobody has.
TEST(TrustFile, DamagedAnywhereTrustsNobodyElse) {
  const SigningKey alice = *SigningKey::generate(), mallory = *SigningKey::generate();
  const std::string good = TrustFile{{{alice.public_key(), "alice", ""}}, ""}.text();
  unsigned read = 0;
  const auto look = [&](const std::string& text, std::size_t at) {
    const auto file = TrustFile::parse(text, "f");
    if (!file) {
      ASSERT_THAT(file.error().where, StartsWith("f"));
      return;
    }
    ++read;
    ASSERT_LE(file->keys.size(), 1u);
    for (const TrustedKey& one : file->keys) {
      if (one.key == alice.public_key()) continue;
      const std::size_t digits = good.find("ed25519:") + 8;
      ASSERT_TRUE(at >= digits && at < digits + 64) << "one digit of the key is another's: nobody has that key";
      ASSERT_FALSE(one.key == mallory.public_key());
      ASSERT_FALSE(one.key.has_signed("message", alice.sign("message")));
    }
  };
  for (std::size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string text = good;
      text[at] = static_cast<char>(text[at] ^ (1 << bit));
      look(text, at);
    }
  EXPECT_LT(read, 8 * good.size() / 2);
  for (std::size_t size = 0; size + 1 < good.size(); ++size)
    ASSERT_FALSE(TrustFile::parse(good.substr(0, size), "f")) << size;
  look(good.substr(0, good.size() - 1), 0);
}

class TrustFileOnDisk : public testing::Test {
 protected:
  static Result<void> add(TrustFile& file, const PublicKey& key) {
    file.keys.push_back({key, "", ""});
    return {};
  }
  os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-trust");
  fs::path path = folder.path() / "hone.trust";
};

TEST_F(TrustFileOnDisk, LiesBesideTheLockFile) {
  EXPECT_EQ(trust_file_beside("/project/locks/app.lock"), "/project/locks/hone.trust");
}

TEST_F(TrustFileOnDisk, ThatIsMissingTrustsNobody) {
  EXPECT_TRUE(TrustFile::read(path).value().keys.empty());
}

TEST_F(TrustFileOnDisk, TakesChangesOfSeveralAtOnce) {
  std::set<std::string> all;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    const PublicKey key = SigningKey::generate()->public_key();
    all.insert(key.text());
    threads.emplace_back([&, key] {
      const auto written = TrustFile::update(path, [&](TrustFile& file) { return add(file, key); });
      EXPECT_TRUE(written);
    });
  }
  for (std::thread& thread : threads) thread.join();
  std::set<std::string> found;
  const TrustFile file = TrustFile::read(path).value();
  for (const TrustedKey& one : file.keys) found.insert(one.key.text());
  EXPECT_EQ(found, all);
}

TEST_F(TrustFileOnDisk, StaysALink) {
  fs::create_directories(folder.path() / "elsewhere");
  fs::create_symlink("elsewhere/keys", path);
  ASSERT_TRUE(TrustFile::update(path, [](TrustFile& file) { return add(file, SigningKey::generate()->public_key()); }));
  EXPECT_TRUE(fs::is_symlink(path));
  EXPECT_EQ(TrustFile::read(folder.path() / "elsewhere" / "keys")->keys.size(), 1u);
}

TEST_F(TrustFileOnDisk, IsLeftAsItIsIfBrokenOrRefused) {
  ASSERT_TRUE(os::write_file_atomically(path, "{ broken"));
  const auto key = SigningKey::generate()->public_key();
  EXPECT_FALSE(TrustFile::update(path, [&](TrustFile& file) { return add(file, key); }));
  EXPECT_EQ(os::read_file(path).value(), "{ broken");
  ASSERT_TRUE(os::write_file_atomically(path, two().text()));
  EXPECT_FALSE(TrustFile::update(path, [&](TrustFile& file) -> Result<void> {
    file.keys.clear();
    return failure("no");
  }));
  EXPECT_EQ(os::read_file(path).value(), two().text());
  EXPECT_FALSE(TrustFile::read(folder.path())) << "a folder";
}

}  // namespace
}  // namespace hone::trust
