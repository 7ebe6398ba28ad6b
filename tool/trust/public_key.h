// Who signed a record: an ed25519 public key, as people pass it on and files hold it.
//
//   ed25519:<64 lower-case hex digits>
//
// There is one spelling of each key. Keys of small order, under which anybody can sign anything, are no keys here; nor
// are numbers beyond the field, which OpenSSL would take. A key that is no point of the curve is one under which
// nothing was ever signed. Pure; values.
#pragma once

#include <compare>
#include <string>
#include <string_view>

#include "cache/digest.h"
#include "tool/base/result.h"

namespace hone::trust {

class PublicKey {
 public:
  static Result<PublicKey> parse(std::string_view text);

  std::string text() const;   // as parse() takes it
  std::string brief() const;  // "ed25519:1a2b3c4d5e6f…", for messages

  // `signature`: 128 lower-case hex digits.
  bool has_signed(std::string_view message, std::string_view signature) const;

  auto operator<=>(const PublicKey&) const = default;

 private:
  explicit PublicKey(std::string hex) : hex_(std::move(hex)) {}
  std::string hex_;
};

inline constexpr std::size_t public_key_length = 8 + 64, signature_length = 128;  // of their texts

}  // namespace hone::trust
