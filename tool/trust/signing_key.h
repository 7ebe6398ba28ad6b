// The key that a user or a CI signs records with: an ed25519 private key, in a file of its own.
//
// The file is PEM (PKCS #8, not encrypted) and only its owner may read it. The key is never printed, and in no message,
// log or record. Move-only; what is read is wiped when it is done with.
#pragma once

#include <openssl/types.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "tool/base/result.h"
#include "tool/trust/public_key.h"

namespace hone::trust {

class SigningKey {
 public:
  static Result<SigningKey> generate();
  // Error: there is no such file, it is no regular file, or holds something else.
  static Result<SigningKey> read(const std::filesystem::path& file);

  // False: there is such a file, and it stays as it is.
  Result<bool> write(const std::filesystem::path& file, bool replace) const;

  PublicKey public_key() const;
  std::string sign(std::string_view message) const;  // 128 lower-case hex digits

 private:
  struct Free {
    void operator()(EVP_PKEY* key) const;
  };
  using Owned = std::unique_ptr<EVP_PKEY, Free>;
  explicit SigningKey(Owned key) : key_(std::move(key)) {}
  Owned key_;
};

// May others than its owner read the file?
bool is_exposed(const std::filesystem::path& file);

}  // namespace hone::trust
