// A record with a signature: its own bytes, and one last member.
//
//   {
//    "record": 1,
//    …                                       as it was written, byte for byte
//    "signed": { "version": 1, "by": "ed25519:<64 hex>", "signature": "<128 hex>" }
//   }
//
// The signature is over all the other bytes (and over who signs), so nothing has to be brought into a canonical form,
// and whoever knows of no signatures reads a record. The last member has one spelling, of one length. What has a member
// of that name and not that spelling is damaged. Pure.
#pragma once

#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/trust/public_key.h"
#include "tool/trust/signing_key.h"

namespace hone::trust {

// Error: it is no record as Hone writes one, or is signed already.
Result<std::string> sign_record(const std::string& record, const SigningKey& key);

struct SignedRecord {
  std::string record;           // without the signature
  std::optional<PublicKey> by;  // absent: unsigned
  bool holds = false;           // it is `by`'s own signature of just this record
  std::string key;              // members of the record, "" where it has none
  std::optional<std::string> variant;
};

// Error: it is not one whole JSON object without a member twice, or its signature has another form.
Result<SignedRecord> read_signed(const std::string& text);

}  // namespace hone::trust
