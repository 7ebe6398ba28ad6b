#include "tool/trust/standing.h"

namespace hone::trust {

Standing standing_of(const SignedRecord& record, const cache::Digest& key, const TrustFile& trusted) {
  if (record.by && !record.holds) return Forged{"its signature is not of what it says"};
  if (record.key.empty()) return Forged{"it names no request key"};
  if (record.key != key) return Forged{"it is the record of another request key"};
  if (!record.by) return Unsigned{};
  const TrustedKey* known = trusted.find(*record.by);
  if (!known) return Stranger{*record.by};
  if (trusted.withdrawn.contains(cache::sha256(record.record)) ||
      (record.variant && trusted.withdrawn.contains(*record.variant)))
    return Stranger{*record.by, true};
  return Trusted{known->key, known->name};
}

}  // namespace hone::trust
