// What a record from elsewhere is worth: who says it, and whether the project has said to believe that.
//
// A value with four cases, so that whoever uses it says what becomes of each. Pure.
#pragma once

#include <string>
#include <variant>

#include "cache/digest.h"
#include "tool/trust/public_key.h"
#include "tool/trust/signed_record.h"
#include "tool/trust/trust_file.h"

namespace hone::trust {

// A key of the project's trust file signed it: it counts as judged here.
struct Trusted {
  PublicKey key;
  std::string name;  // as the trust file has it, "" for none
};

// It is signed, and nobody said to believe that key: it may be tried, like any proposal. So it is where the project
// trusts the key and has withdrawn what it signed there.
struct Stranger {
  PublicKey key;
  bool withdrawn = false;
};

// Nobody said it: it may be tried, like any proposal. Hone wrote none else before it could sign.
struct Unsigned {};

// It is not what its signer signed, not the record that was asked for, or not whole: nothing may be made of it.
struct Forged {
  std::string why;
};

using Standing = std::variant<Trusted, Stranger, Unsigned, Forged>;

// For std::visit with a lambda for each case: one that is forgotten does not compile.
template <class... Cases>
struct Each : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Each(Cases...) -> Each<Cases...>;

// Of a record that was asked for under the request key.
Standing standing_of(const SignedRecord& record, const cache::Digest& key, const TrustFile& trusted);

}  // namespace hone::trust
