// What a shared store says of a request key: somebody's record, what that is worth, and the variant that it names.
//
// The store is anybody's, so a record is a claim. Its standing says whose (trust/standing.h); all else is checked here:
// that it is of this request key, and that its variant's bytes have the digest that it names and name the key
// themselves. What fails that is forged, whoever signed it. Whether a variant fits the kernel is for the lock room to
// say, and whether one of a stranger is right and faster for the judge.
#pragma once

#include <mutex>
#include <optional>
#include <set>
#include <string>

#include "cache/digest.h"
#include "tool/base/result.h"
#include "tool/shared/shared_store.h"
#include "tool/trust/standing.h"

namespace hone::shared {

struct RecordOffer {
  trust::Standing standing;
  std::string record;               // as it was sent, with its signature; "" where it is forged
  std::optional<std::string> blob;  // the variant's (cache/bound_source.h); absent: it says to keep the original
};

// nullopt: the store has no such record. Error: it does not serve us.
Result<std::optional<RecordOffer>> record_offer(const cache::Digest& key, const trust::TrustFile& trusted,
                                                SharedStore& store);

// The same, for many kernels: leaves no connection behind, and says each trouble with the store once. Thread-safe.
class RecordOffers {
 public:
  explicit RecordOffers(SharedStore& store) : store_(store) {}
  // Error: what nobody has heard yet.
  Result<std::optional<RecordOffer>> of(const cache::Digest& key, const trust::TrustFile& trusted);
  std::string place() const { return store_.place(); }

 private:
  SharedStore& store_;
  std::mutex asking_;  // a store answers one question at a time
  std::set<std::string> said_;
};

}  // namespace hone::shared
