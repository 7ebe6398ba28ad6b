// A private key and its file: made once, readable by its owner, and never another kind of thing.
#include "tool/trust/signing_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "tool/os/files/files.h"

namespace hone::trust {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class SigningKeyFile : public testing::Test {
 protected:
  std::string why_not(const std::string& text) {
    EXPECT_TRUE(os::write_file_atomically(file, text));
    const auto key = SigningKey::read(file);
    return key ? "" : key.error().message();
  }
  os::TemporaryFolder folder = *os::TemporaryFolder::create("hone-signing-key");
  fs::path file = folder.path() / "settings" / "signing-key.pem";
  const SigningKey key = *SigningKey::generate();
};

TEST_F(SigningKeyFile, ComesBackAsItWasWritten) {
  EXPECT_EQ(key.write(file, false).value(), true);
  const auto again = SigningKey::read(file);
  ASSERT_TRUE(again) << again.error().message();
  EXPECT_EQ(again->public_key(), key.public_key());
  EXPECT_EQ(again->sign("message"), key.sign("message")) << "the same each time";
  EXPECT_TRUE(key.public_key().has_signed("message", key.sign("message")));
  EXPECT_THAT(os::read_file(file).value(), StartsWith("-----BEGIN PRIVATE KEY-----\n"));
}

TEST_F(SigningKeyFile, IsItsOwnersAlone) {
  const mode_t before = ::umask(0);
  const auto written = key.write(file, false);
  ::umask(before);
  ASSERT_TRUE(written);
  EXPECT_EQ(fs::status(file).permissions(), fs::perms::owner_read | fs::perms::owner_write);
  EXPECT_FALSE(is_exposed(file));
  fs::permissions(file, fs::perms::group_read, fs::perm_options::add);
  EXPECT_TRUE(is_exposed(file));
}

TEST_F(SigningKeyFile, IsReplacedOnlyIfAsked) {
  ASSERT_TRUE(key.write(file, false));
  const SigningKey other = *SigningKey::generate();
  EXPECT_EQ(other.write(file, false).value(), false);
  EXPECT_EQ(SigningKey::read(file)->public_key(), key.public_key());
  EXPECT_EQ(other.write(file, true).value(), true);
  EXPECT_EQ(SigningKey::read(file)->public_key(), other.public_key());
  EXPECT_EQ(std::distance(fs::directory_iterator(file.parent_path()), {}), 1) << "nothing is left beside it";
}

TEST_F(SigningKeyFile, SaysWhatElseItFound) {
  const std::string bad = "name another in HONE_SIGNING_KEY";
  EXPECT_THAT(why_not(""),
              AllOf(HasSubstr("this is no private key in PEM"), HasSubstr(bad), StartsWith(file.string())));
  EXPECT_THAT(why_not("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"), HasSubstr("no private key"));
  EXPECT_THAT(why_not(std::string(20'000, 'x')), HasSubstr("larger than"));
  EXPECT_THAT(why_not("-----BEGIN PRIVATE KEY-----\nSECRET\n"), Not(HasSubstr("SECRET"))) << "never quoted";
  fs::remove(file);
  EXPECT_THAT(SigningKey::read(file).error().message(), HasSubstr("No such file"));
  fs::create_directories(file);
  EXPECT_FALSE(SigningKey::read(file));
}

TEST_F(SigningKeyFile, IsNoKeyOfAnotherKindNorEncrypted) {
  fs::create_directories(file.parent_path());
  const auto made = [&](const std::string& words) {
    fs::remove(file);
    return std::system(("openssl genpkey " + words + " -out '" + file.string() + "' 2>/dev/null").c_str()) == 0;
  };
  if (!made("-algorithm ed25519")) GTEST_SKIP() << "the program openssl is not here";
  EXPECT_TRUE(SigningKey::read(file)) << "keys of openssl are taken";
  ASSERT_TRUE(made("-algorithm EC -pkeyopt ec_paramgen_curve:P-256"));
  EXPECT_THAT(SigningKey::read(file).error().message(), HasSubstr("this is no ed25519 key"));
  ASSERT_TRUE(made("-algorithm ed25519 -aes-256-cbc -pass pass:secret"));
  EXPECT_THAT(SigningKey::read(file).error().message(), HasSubstr("is encrypted, which Hone cannot read"));
}

}  // namespace
}  // namespace hone::trust
