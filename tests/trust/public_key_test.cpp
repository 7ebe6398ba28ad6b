// Which texts are keys, and what OpenSSL makes of those that are none.
#include "tool/trust/public_key.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <openssl/evp.h>

#include <memory>

#include "tests/trust/weak_keys.h"
#include "tool/trust/hex.h"
#include "tool/trust/signing_key.h"

namespace hone::trust {
namespace {

using testing::HasSubstr;

std::string why_not(const std::string& text) {
  const auto key = PublicKey::parse(text);
  return key ? "" : key.error().what;
}

// What OpenSSL says without us.
bool openssl_accepts(const std::string& hex, const std::string& message, const std::string& signature) {
  const auto raw = [](const std::string& bytes) { return reinterpret_cast<const unsigned char*>(bytes.data()); };
  const std::string key_bytes = from_hex(hex), bytes = from_hex(signature);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw(key_bytes), key_bytes.size()), EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return key && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), raw(bytes), bytes.size(), raw(message), message.size()) == 1;
}

// RFC 8032, 7.1, test 2.
TEST(PublicKey, VerifiesWhatTheStandardSigned) {
  const auto key = PublicKey::parse("ed25519:3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c");
  ASSERT_TRUE(key);
  const std::string signature =
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da"
      "085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00";
  EXPECT_TRUE(key->has_signed("\x72", signature));
  EXPECT_FALSE(key->has_signed("\x73", signature));
  EXPECT_FALSE(key->has_signed("\x72", signature + "00"));
  std::string upper = signature;
  upper[1] = '2', upper[3] = 'A';
  EXPECT_FALSE(key->has_signed("\x72", upper)) << "one spelling";
}

TEST(PublicKey, HasOneSpelling) {
  const std::string key = SigningKey::generate()->public_key().text();
  EXPECT_EQ(why_not(key), "");
  EXPECT_EQ(PublicKey::parse(key)->text(), key);
  EXPECT_EQ(why_not(key + "0"), "this public key is not whole");
  EXPECT_EQ(why_not(key.substr(0, 71)), "this public key is not whole");
  EXPECT_EQ(why_not("ed448" + key.substr(7)), "this is no public key");
  EXPECT_EQ(why_not(" " + key), "this is no public key");
  EXPECT_EQ(why_not("ed25519:" + std::string(64, 'A')), "this public key is not whole");
  EXPECT_EQ(why_not(""), "this is no public key");
}

TEST(PublicKey, IsNoneIfAnybodyCanSignWithIt) {
  for (const std::string& hex : small_order_keys()) EXPECT_THAT(why_not("ed25519:" + hex), HasSubstr("weak")) << hex;
}

// Why they must be refused by us: under those that OpenSSL can read, somebody who has no key signs.
TEST(PublicKey, OfSmallOrderIsTakenByOpenssl) {
  unsigned forgeable = 0;
  for (const std::string& hex : small_order_keys()) {
    bool any = false;
    for (int i = 0; i < 200 && !any; ++i)
      any = openssl_accepts(hex, "message " + std::to_string(i), nobodys_signature());
    forgeable += any;
  }
  EXPECT_GE(forgeable, 8u) << "the list is of such keys";
}

TEST(PublicKey, BeyondTheFieldIsNone) {
  const std::string effs(60, 'f');
  EXPECT_THAT(why_not("ed25519:ef" + effs + "7f"), HasSubstr("weak"));
  EXPECT_THAT(why_not("ed25519:ff" + effs + "ff"), HasSubstr("weak"));
  EXPECT_EQ(why_not("ed25519:eb" + effs + "7f"), "") << "the largest but one";
}

TEST(PublicKey, ThatIsNoPointOfTheCurveVerifiesNothing) {
  const SigningKey signer = *SigningKey::generate();
  const std::string signature = signer.sign("message");
  unsigned points = 0;
  for (int i = 2; i < 34; ++i) {
    const auto key = PublicKey::parse("ed25519:" + to_hex(std::string(1, static_cast<char>(i))) + std::string(62, '0'));
    ASSERT_TRUE(key);
    points += key->has_signed("message", signature) || key->has_signed("message", nobodys_signature());
  }
  EXPECT_EQ(points, 0u);
}

}  // namespace
}  // namespace hone::trust
