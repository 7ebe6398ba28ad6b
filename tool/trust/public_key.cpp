#include "tool/trust/public_key.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <memory>

#include "tool/diagnostics/coded_failure.h"
#include "tool/trust/hex.h"

namespace hone::trust {
namespace {

constexpr std::string_view kAlgorithm = "ed25519:";

const unsigned char* raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

// The second coordinates of the points whose order divides eight. Their other spellings are not canonical.
constexpr std::array<std::string_view, 5> kSmallOrder = {
    "0000000000000000000000000000000000000000000000000000000000000000",
    "0100000000000000000000000000000000000000000000000000000000000000",
    "26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05",
    "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a",
    "ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f"};

// The last byte's highest bit is the sign of the other coordinate.
std::string second_coordinate(const std::string& hex) {
  std::string bytes = from_hex(hex);
  bytes.back() = static_cast<char>(bytes.back() & 0x7f);
  return to_hex(bytes);
}

bool is_small_order(const std::string& coordinate) {
  return std::ranges::find(kSmallOrder, coordinate) != kSmallOrder.end();
}

// Below 2^255 - 19, little end first.
bool is_canonical(const std::string& coordinate) {
  return !coordinate.ends_with("7f") || coordinate.find_first_not_of('f', 2) != 62 || coordinate.substr(0, 2) < "ed";
}

}  // namespace

Result<PublicKey> PublicKey::parse(std::string_view text) {
  const auto no_key = [&](const char* why) {
    return coded_failure(DiagnosticCode::public_key, why, "",
                         "a key is ed25519: and 64 hex digits, as hone cache keygen prints it");
  };
  if (!text.starts_with(kAlgorithm)) return no_key("this is no public key");
  std::string hex(text.substr(kAlgorithm.size()));
  if (hex.size() != 64 || !is_hex(hex)) return no_key("this public key is not whole");
  const std::string coordinate = second_coordinate(hex);
  if (!is_canonical(coordinate) || is_small_order(coordinate))
    return no_key("this public key is weak: anybody could sign with it");
  return PublicKey(std::move(hex));
}

std::string PublicKey::text() const {
  return std::string(kAlgorithm) + hex_;
}

std::string PublicKey::brief() const {
  return std::string(kAlgorithm) + hex_.substr(0, 12) + "…";
}

bool PublicKey::has_signed(std::string_view message, std::string_view signature) const {
  if (signature.size() != signature_length || !is_hex(signature)) return false;
  const std::string key_bytes = from_hex(hex_), bytes = from_hex(signature);
  const std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)> key(
      EVP_PKEY_new_raw_public_key(EVP_PKEY_ED25519, nullptr, raw(key_bytes), key_bytes.size()), EVP_PKEY_free);
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  return key && context && EVP_DigestVerifyInit(context.get(), nullptr, nullptr, nullptr, key.get()) == 1 &&
         EVP_DigestVerify(context.get(), raw(bytes), bytes.size(), raw(message), message.size()) == 1;
}

}  // namespace hone::trust
