#include "tool/shared/record_offers.h"

#include <utility>

#include "cache/bound_source.h"

namespace hone::shared {
namespace {

RecordOffer forged(std::string why) {
  return {trust::Forged{std::move(why)}, "", std::nullopt};
}

// "" or why these bytes are not what the record names.
std::string fault(const std::string& bytes, const cache::Digest& digest, const cache::Digest& key) {
  if (cache::sha256(bytes) != digest) return "its variant's bytes are not those that it names";
  if (cache::read_bound(bytes).key != key) return "its variant is of another request key";
  return "";
}

}  // namespace

Result<std::optional<RecordOffer>> record_offer(const cache::Digest& key, const trust::TrustFile& trusted,
                                                SharedStore& store) {
  HONE_TRY(const auto text, store.get(Kind::record, key));
  if (!text) return std::nullopt;
  const auto read = trust::read_signed(*text);
  if (!read) return forged(read.error().what);
  RecordOffer offer{trust::standing_of(*read, key, trusted), *text, std::nullopt};
  if (std::holds_alternative<trust::Forged>(offer.standing)) return RecordOffer{offer.standing, "", std::nullopt};
  if (!read->variant) return offer;
  if (!cache::is_digest(*read->variant)) return forged("it names no variant");
  HONE_TRY(auto blob, store.get(Kind::blob, *read->variant));
  if (!blob) return forged("its variant is not there");
  if (const std::string wrong = fault(*blob, *read->variant, key); !wrong.empty()) return forged(wrong);
  offer.blob = std::move(*blob);
  return offer;
}

Result<std::optional<RecordOffer>> RecordOffers::of(const cache::Digest& key, const trust::TrustFile& trusted) {
  const std::lock_guard lock(asking_);
  auto offer = record_offer(key, trusted, store_);
  store_.hang_up();
  if (!offer && !said_.insert(offer.error().message()).second) return std::nullopt;
  return offer;
}

}  // namespace hone::shared
