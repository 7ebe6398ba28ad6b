// What of a record may be believed, after everything that can be done to it.
#include "tool/trust/signed_record.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cache/digest.h"
#include "tests/replaced_text.h"
#include "tests/trust/weak_keys.h"
#include "tool/trust/standing.h"

namespace hone::trust {
namespace {

using test::replaced;
using testing::HasSubstr;
using testing::StartsWith;

class Signed : public testing::Test {
 protected:
  Signed() { trusted.keys.push_back({alice.public_key(), "alice", ""}); }

  std::string record(const std::string& key = cache::sha256("key"), const std::string& speedup = "3.1") const {
    return "{\n \"record\": 1,\n \"key\": \"" + key + "\",\n \"kernel\": \"blur\",\n \"target\": \"x86_64\",\n" +
           " \"variant\": \"" + cache::sha256("variant") + "\",\n \"speedup\": " + speedup + "\n}\n";
  }
  std::string standing(const std::string& text, const std::string& key = cache::sha256("key")) const {
    const auto read = read_signed(text);
    if (!read) return "damaged: " + read.error().what;
    return std::visit(Each{[](const Trusted& one) { return "trusted: " + one.name; },
                           [](const Stranger& one) { return "stranger: " + one.key.text(); },
                           [](const Unsigned&) { return std::string("unsigned"); },
                           [](const Forged& one) { return "forged: " + one.why; }},
                      standing_of(*read, key, trusted));
  }
  const SigningKey alice = *SigningKey::generate(), mallory = *SigningKey::generate();
  TrustFile trusted;
  const std::string text = *sign_record(record(), alice);
};

TEST_F(Signed, KeepsTheRecordByteForByte) {
  const auto read = read_signed(text);
  ASSERT_TRUE(read);
  EXPECT_EQ(read->record, record());
  EXPECT_EQ(read->by, alice.public_key());
  EXPECT_TRUE(read->holds);
  EXPECT_EQ(read->key, cache::sha256("key"));
  EXPECT_EQ(read->variant, cache::sha256("variant"));
  EXPECT_EQ(sign_record(record(), alice).value(), text) << "the same each time";
  EXPECT_THAT(text, StartsWith(record().substr(0, record().size() - 3))) << "a reader of records reads it";
  EXPECT_TRUE(nlohmann::json::accept(text));
}

TEST_F(Signed, StandsByWhoSignedIt) {
  EXPECT_EQ(standing(text), "trusted: alice");
  EXPECT_EQ(standing(*sign_record(record(), mallory)), "stranger: " + mallory.public_key().text());
  EXPECT_EQ(standing(record()), "unsigned");
  trusted.keys.clear();
  EXPECT_EQ(standing(text), "stranger: " + alice.public_key().text()) << "after untrust";
}

TEST_F(Signed, IsAStrangersOnceItsVariantOrItselfIsWithdrawn) {
  const std::string strangers = "stranger: " + alice.public_key().text();
  trusted.withdrawn = {cache::sha256("another variant")};
  EXPECT_EQ(standing(text), "trusted: alice");
  trusted.withdrawn = {cache::sha256("variant")};
  EXPECT_EQ(standing(text), strangers);
  trusted.withdrawn = {cache::sha256(record())};
  EXPECT_EQ(standing(text), strangers);
  EXPECT_EQ(standing(*sign_record(record(cache::sha256("key"), "3.2"), alice)), "trusted: alice")
      << "what was measured of it later";
}

TEST_F(Signed, IsForgedAfterAnyMemberIsChanged) {
  const std::string no = "forged: its signature is not of what it says";
  EXPECT_EQ(standing(replaced(text, "blur", "blot")), no) << "another kernel";
  EXPECT_EQ(standing(replaced(text, "x86_64", "x86_65")), no) << "another target";
  EXPECT_EQ(standing(replaced(text, "3.1", "9.1")), no) << "another speedup";
  EXPECT_EQ(standing(replaced(text, cache::sha256("variant"), cache::sha256("another"))), no) << "another variant";
  EXPECT_EQ(standing(replaced(text, "\"record\": 1", "\"record\": 0")), no) << "another version of records";
  EXPECT_EQ(standing(replaced(text, " \"kernel\"", "  \"kernel\"")), no) << "not even a blank";
  EXPECT_EQ(standing(replaced(text, cache::sha256("key"), cache::sha256("other")), cache::sha256("other")), no)
      << "relabeled for another key";
}

TEST_F(Signed, IsForgedUnderAnotherRequestKey) {
  EXPECT_EQ(standing(text, cache::sha256("other")), "forged: it is the record of another request key");
  EXPECT_EQ(standing(record(), cache::sha256("other")), "forged: it is the record of another request key");
  EXPECT_EQ(standing(replaced(record(), "\"key\"", "\"kee\"")), "forged: it names no request key");
}

TEST_F(Signed, IsForgedWithTheSignatureOfAnotherRecordOrKey) {
  const std::string other = *sign_record(record(cache::sha256("key"), "2.0"), alice);
  const std::size_t tail = text.find("\"signature\"");
  EXPECT_THAT(standing(text.substr(0, tail) + other.substr(other.find("\"signature\""))), StartsWith("forged"));
  EXPECT_THAT(
      standing(replaced(*sign_record(record(), mallory), mallory.public_key().text(), alice.public_key().text())),
      StartsWith("forged"))
      << "Mallory's signature in Alice's name";
  EXPECT_THAT(standing(replaced(text, alice.public_key().text(), mallory.public_key().text())), StartsWith("forged"))
      << "Alice's signature in Mallory's name";
}

TEST_F(Signed, IsUnsignedWithoutItsSignature) {
  EXPECT_EQ(standing(read_signed(text)->record), "unsigned") << "which is worth less, never more";
}

TEST_F(Signed, IsDamagedInAnyOtherForm) {
  const std::string form = "damaged: its signature is damaged, or of a newer Hone";
  EXPECT_EQ(standing(replaced(text, "\"version\": 1", "\"version\": 2")), form);
  EXPECT_EQ(standing(replaced(text, "\"version\": 1", "\"version\": 0")), form);
  EXPECT_EQ(standing(replaced(text, "ed25519:", "ed25518:")),
            "damaged: its signature is of no key: this is no public key");
  EXPECT_EQ(standing(replaced(text, "\"signed\"", "\"s\\u0069gned\"")), form);
  EXPECT_EQ(standing(text + "\n"), form);
  EXPECT_EQ(standing(replaced(record(), "\n}\n", ",\n \"signed\": null\n}\n")), form);
  EXPECT_EQ(standing(replaced(text, " \"kernel\"", " \"signed\": 1,\n \"kernel\"")), "damaged: it has a member twice");
  EXPECT_EQ(standing(replaced(text, " \"kernel\"", " \"key\": \"x\",\n \"kernel\"")), "damaged: it has a member twice");
  EXPECT_EQ(standing(replaced(record(), "3.1", std::string(10'000, '['))), "damaged: it is nested too deep");
  for (const char* other : {"", "null", "[]", "<html>", "{\"record\": 1} {}"})
    EXPECT_EQ(standing(other), "damaged: it is not one whole JSON object") << other;
}

TEST_F(Signed, ByAKeyOfSmallOrderIsDamaged) {
  for (const std::string& hex : small_order_keys()) {
    std::string forged = replaced(text, alice.public_key().text(), "ed25519:" + hex);
    forged.replace(forged.rfind("\"signature\": \"") + 14, signature_length, nobodys_signature());
    EXPECT_THAT(standing(forged), StartsWith("damaged: its signature is of no key")) << hex;
  }
}

TEST_F(Signed, IsNotSignedTwiceNorIfItIsNoRecord) {
  EXPECT_EQ(sign_record(text, mallory).error().what, "it is signed already");
  EXPECT_FALSE(sign_record("{}", alice));
  EXPECT_FALSE(sign_record("{\n}\n", alice));
  EXPECT_FALSE(sign_record("{\"record\": 1}", alice));
  EXPECT_FALSE(sign_record("no record", alice));
}

TEST_F(Signed, WithMembersOfANewerHoneIsStillTrusted) {
  const std::string newer = replaced(record(), " \"kernel\"", " \"novel\": [1],\n \"kernel\"");
  EXPECT_EQ(standing(*sign_record(newer, alice)), "trusted: alice");
}

// Made by the program openssl, with the key of RFC 8032, 7.1, test 2: what was signed once stays signed.
TEST_F(Signed, OfTheFirstFormatHoldsForever) {
  const std::string by = "ed25519:3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c";
  const std::string signature =
      "9451ef8fc6a143fa4c60d770f9a63206d29bd75f84603d38432f738918630274"
      "41e8650bf2d8dce2bc816a34023cf58626cffa98a399c669c96e48f857bcd508";
  const auto read = read_signed("{\n \"record\": 1,\n \"key\": \"" + cache::sha256("key") +
                                "\",\n \"variant\": null,\n \"signed\": { \"version\": 1, \"by\": \"" + by +
                                "\", \"signature\": \"" + signature + "\" }\n}\n");
  ASSERT_TRUE(read);
  EXPECT_EQ(read->by->text(), by);
  EXPECT_TRUE(read->holds);
}

// The next three look at every place of a text.

// Nor is it unsigned, since what is unsigned in the user's store counts as judged here.
TEST_F(Signed, IsNeverTrustedWithAnotherBit) {
  for (std::size_t at = 0; at < text.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string flipped = text;
      flipped[at] = static_cast<char>(flipped[at] ^ (1 << bit));
      const std::string found = standing(flipped);
      ASSERT_TRUE(found.starts_with("damaged") || found.starts_with("forged")) << at << " " << bit << " " << found;
    }
}

TEST_F(Signed, IsNeverReadIfCutShort) {
  for (std::size_t size = 0; size + 1 < text.size(); ++size)
    ASSERT_THAT(standing(text.substr(0, size)), StartsWith("damaged: it is not one whole JSON object")) << size;
  EXPECT_THAT(standing(text.substr(0, text.size() - 1)), StartsWith("damaged")) << "without its last newline";
}

TEST_F(Signed, IsNeverTrustedWithAByteMoreOrLess) {
  for (std::size_t at = 0; at < text.size(); ++at) {
    std::string less = text, more = text;
    less.erase(at, 1);
    ASSERT_FALSE(standing(less).starts_with("trusted")) << at;
    more.insert(at, 1, ' ');
    ASSERT_FALSE(standing(more).starts_with("trusted")) << at;
  }
}

}  // namespace
}  // namespace hone::trust
