// Records and variants of a shared store, after everything that somebody may do who can write there.
#include "tool/shared/record_offers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "cache/bound_source.h"
#include "tests/llm/loopback_server.h"
#include "tests/replaced_text.h"
#include "tests/shared/known_store.h"
#include "tool/shared/http_store.h"

namespace hone::shared {
namespace {

using test::replaced;
using testing::ElementsAre;
using testing::IsEmpty;
using trust::SigningKey;

class RecordOffersTest : public testing::Test {
 protected:
  RecordOffersTest() {
    trusted.keys.push_back({alice.public_key(), "alice", ""});
    store.records[key] = *sign_record(record(key, variant), alice);
    store.blobs[variant] = blob;
  }
  static std::string record(const cache::Digest& key, const cache::Digest& variant, const char* speedup = "3.1") {
    return "{\n \"record\": 1,\n \"key\": \"" + key + "\",\n \"kernel\": \"blur\",\n \"variant\": \"" + variant +
           "\",\n \"speedup\": " + speedup + "\n}\n";
  }
  std::string offered(const cache::Digest& of) {
    const auto offer = record_offer(of, trusted, store);
    if (!offer) return "trouble: " + offer.error().message();
    if (!*offer) return "nothing";
    const RecordOffer& found = **offer;
    const std::string with = found.blob ? " with " + cache::read_bound(*found.blob).source : "";
    return std::visit(trust::Each{[&](const trust::Trusted& by) { return "trusted " + by.name + with; },
                                  [&](const trust::Stranger&) { return "stranger" + with; },
                                  [&](const trust::Unsigned&) { return "unsigned" + with; },
                                  [&](const trust::Forged& what) {
                                    EXPECT_EQ(found.record, "");
                                    EXPECT_FALSE(found.blob);
                                    return "forged: " + what.why;
                                  }},
                      found.standing);
  }
  std::string offered() { return offered(key); }

  const SigningKey alice = *SigningKey::generate(), mallory = *SigningKey::generate();
  const cache::Digest key = cache::sha256("key"), other = cache::sha256("other key");
  const std::string blob = cache::bound_blob("void blur() {}", key);
  const cache::Digest variant = cache::sha256(blob);
  trust::TrustFile trusted;
  KnownStore store;
};

TEST_F(RecordOffersTest, BringTheVariantOfATrustedKey) {
  EXPECT_EQ(offered(), "trusted alice with void blur() {}");
  EXPECT_THAT(store.asked, ElementsAre("ac/" + key, "cas/" + variant));
  EXPECT_EQ(record_offer(key, trusted, store).value()->record, store.records[key]) << "with its signature";
}

TEST_F(RecordOffersTest, BringAKeptOriginalWithoutVariant) {
  const std::string kept = replaced(record(key, variant), "\"" + variant + "\"", "null");
  store.records[key] = *sign_record(kept, alice);
  EXPECT_EQ(offered(), "trusted alice");
}

TEST_F(RecordOffersTest, BringStrangersAndUnsignedOnesAsSuch) {
  store.records[key] = *sign_record(record(key, variant), mallory);
  EXPECT_EQ(offered(), "stranger with void blur() {}");
  store.records[key] = record(key, variant);
  EXPECT_EQ(offered(), "unsigned with void blur() {}");
}

TEST_F(RecordOffersTest, AreNoneWhereTheStoreHasNone) {
  EXPECT_EQ(offered(other), "nothing");
}

TEST_F(RecordOffersTest, AreForgedUnderAnotherKey) {
  store.records[other] = store.records[key];
  EXPECT_EQ(offered(other), "forged: it is the record of another request key");
  store.records[other] = replaced(store.records[key], key, other);
  EXPECT_EQ(offered(other), "forged: its signature is not of what it says");
  store.records[other] = record(other, variant);
  EXPECT_EQ(offered(other), "forged: its variant is of another request key")
      << "unsigned, with a variant that is not its";
  store.records[other] = *sign_record(record(other, variant), alice);
  EXPECT_EQ(offered(other), "forged: its variant is of another request key") << "even if Alice says so";
}

TEST_F(RecordOffersTest, AreForgedWithAnotherVariant) {
  const std::string stranger = cache::bound_blob("void blur() { steal(); }", key);
  store.blobs[variant] = stranger;
  EXPECT_EQ(offered(), "forged: its variant's bytes are not those that it names");
  store.blobs[cache::sha256(stranger)] = stranger;
  store.records[key] = replaced(store.records[key], variant, cache::sha256(stranger));
  EXPECT_EQ(offered(), "forged: its signature is not of what it says");
  store.records[key] = *sign_record(record(key, "../../etc/passwd"), alice);
  EXPECT_EQ(offered(), "forged: it names no variant");
  EXPECT_THAT(store.asked.back(), "ac/" + key) << "no path of somebody's choice is asked for";
}

TEST_F(RecordOffersTest, AreForgedWithoutTheirVariant) {
  store.blobs.clear();
  EXPECT_EQ(offered(), "forged: its variant is not there");
}

// An old record of the same key, which Alice did sign, is one that she vouched for; it ends when her key does.
TEST_F(RecordOffersTest, OfAnOldRecordAreWhatWasSignedThen) {
  const std::string old = *sign_record(record(key, variant, "1.5"), alice);
  store.records[key] = old;
  EXPECT_EQ(offered(), "trusted alice with void blur() {}");
  trusted.keys.clear();
  EXPECT_EQ(offered(), "stranger with void blur() {}");
}

TEST_F(RecordOffersTest, SayTroubleOnceAndLeaveNoConnection) {
  store.trouble = Error{"the shared store is gone", "", ""};
  RecordOffers offers(store);
  const auto first = offers.of(key, trusted);
  ASSERT_FALSE(first);
  EXPECT_EQ(first.error().message(), "the shared store is gone");
  EXPECT_EQ(offers.of(other, trusted).value(), std::nullopt);
}

// Every bit and every cut of what the store holds.

TEST_F(RecordOffersTest, OfARecordWithAnotherBitAreNeverTrusted) {
  const std::string good = store.records[key];
  for (std::size_t at = 0; at < good.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      store.records[key] = good;
      store.records[key][at] = static_cast<char>(good[at] ^ (1 << bit));
      const std::string found = offered();
      ASSERT_TRUE(found.starts_with("forged") || found.starts_with("unsigned")) << at << " " << bit << ": " << found;
    }
  for (std::size_t size = 0; size < good.size(); ++size) {
    store.records[key] = good.substr(0, size);
    ASSERT_TRUE(offered().starts_with("forged")) << size;
  }
}

TEST_F(RecordOffersTest, OfAVariantWithAnotherBitAreForged) {
  for (std::size_t at = 0; at < blob.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      store.blobs[variant] = blob;
      store.blobs[variant][at] = static_cast<char>(blob[at] ^ (1 << bit));
      ASSERT_EQ(offered(), "forged: its variant's bytes are not those that it names") << at << " " << bit;
    }
  for (std::size_t size = 0; size < blob.size(); ++size) {
    store.blobs[variant] = blob.substr(0, size);
    ASSERT_EQ(offered(), "forged: its variant's bytes are not those that it names") << size;
  }
}

// Over HTTP.

class RecordOffersOverHttp : public RecordOffersTest {
 protected:
  std::string offered_by(const llm::LoopbackServer& server) {
    HttpStoreSettings settings;
    settings.url = os::parse_url(server.url()).value();
    HttpStore http(std::move(settings));
    const auto offer = record_offer(key, trusted, http);
    if (!offer) return "trouble";
    if (!*offer) return "nothing";
    const auto* what = std::get_if<trust::Forged>(&(**offer).standing);
    return what                                                         ? "forged: " + what->why
           : std::holds_alternative<trust::Trusted>((**offer).standing) ? "trusted"
                                                                        : "not";
  }
};

TEST_F(RecordOffersOverHttp, AreTakenWhereTheyAreWhole) {
  const llm::LoopbackServer server({llm::answer(200, store.records[key]), llm::answer(200, blob)});
  EXPECT_EQ(offered_by(server), "trusted");
}

TEST_F(RecordOffersOverHttp, AreForgedOrTroubleWhereTheServerLies) {
  const std::string page = "<!doctype html><title>Log in</title>";
  EXPECT_EQ(offered_by(llm::LoopbackServer({llm::answer(200, page)})), "forged: it is not one whole JSON object");
  EXPECT_EQ(offered_by(llm::LoopbackServer({llm::answer(200, store.records[key]), llm::answer(200, page)})),
            "forged: its variant's bytes are not those that it names");
  EXPECT_EQ(offered_by(llm::LoopbackServer({llm::answer(200, store.records[key]), llm::answer(404, page)})),
            "forged: its variant is not there");
  EXPECT_EQ(offered_by(llm::LoopbackServer({llm::answer(200, store.records[key]), llm::answer(500, "")})), "trouble");
  EXPECT_EQ(offered_by(llm::LoopbackServer({llm::answer(404, "")})), "nothing");
  const auto cut = [this](llm::LoopbackServer::Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\nContent-Length: 5000\r\n\r\n" + store.records[key]);
    talk.close();
  };
  EXPECT_EQ(offered_by(llm::LoopbackServer({cut})), "trouble");
  const auto endless = [](llm::LoopbackServer::Talk& talk) {
    talk.send("HTTP/1.1 200 OK\r\n\r\n");
    while (talk.send(std::string(1 << 20, '[')))
      ;
  };
  EXPECT_EQ(offered_by(llm::LoopbackServer({endless})), "trouble") << "it stops at 16 MiB";
  const std::string deep = "{\"key\": " + std::string(8 << 20, '[');
  EXPECT_EQ(offered_by(llm::LoopbackServer({llm::answer(200, deep)})), "forged: it is nested too deep");
}

}  // namespace
}  // namespace hone::shared
