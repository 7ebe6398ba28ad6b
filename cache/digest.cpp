#include "cache/digest.h"

#include <openssl/evp.h>

#include <algorithm>
#include <array>
#include <cassert>

namespace hone::cache {

Digest sha256(std::string_view bytes) {
  std::array<unsigned char, 32> raw{};
  unsigned size = 0;
  [[maybe_unused]] const int done = EVP_Digest(bytes.data(), bytes.size(), raw.data(), &size, EVP_sha256(), nullptr);
  assert(done == 1 && size == raw.size());
  constexpr char kHex[] = "0123456789abcdef";
  Digest digest;
  digest.reserve(2 * raw.size());
  for (const unsigned char byte : raw) {
    digest += kHex[byte >> 4];
    digest += kHex[byte & 15];
  }
  return digest;
}

bool is_digest(std::string_view text) {
  const auto is_hex = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
  return text.size() == 64 && std::all_of(text.begin(), text.end(), is_hex);
}

}  // namespace hone::cache
