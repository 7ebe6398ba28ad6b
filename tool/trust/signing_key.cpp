#include "tool/trust/signing_key.h"

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <sys/stat.h>

#include <array>
#include <cassert>
#include <utility>

#include "tool/diagnostics/coded_failure.h"
#include "tool/os/files/files.h"
#include "tool/os/files/private_file.h"
#include "tool/trust/hex.h"

namespace hone::trust {
namespace {

using Memory = std::unique_ptr<BIO, decltype(&BIO_free)>;

constexpr std::size_t kLargestPem = 16u << 10;

// Nobody is asked for a passphrase in the middle of a build.
int no_passphrase(char*, int, int, void*) {
  return -1;
}

void wipe(std::string& text) {
  OPENSSL_cleanse(text.data(), text.size());
}

}  // namespace

void SigningKey::Free::operator()(EVP_PKEY* key) const {
  EVP_PKEY_free(key);
}

Result<SigningKey> SigningKey::generate() {
  Owned key(EVP_PKEY_Q_keygen(nullptr, nullptr, "ED25519"));
  if (!key)
    return coded_failure(DiagnosticCode::signing_key, "this OpenSSL makes no ed25519 keys", "", "install OpenSSL 3");
  return SigningKey(std::move(key));
}

Result<SigningKey> SigningKey::read(const std::filesystem::path& file) {
  HONE_TRY(std::string text, os::read_file(file, kLargestPem));
  Owned key;
  {
    const Memory memory(BIO_new_mem_buf(text.data(), static_cast<int>(text.size())), BIO_free);
    key.reset(PEM_read_bio_PrivateKey(memory.get(), nullptr, no_passphrase, nullptr));
  }
  const bool is_encrypted = text.find("ENCRYPTED") != text.npos;
  wipe(text);
  ERR_clear_error();
  const char* const advice = "name another in HONE_SIGNING_KEY, or make one with hone cache keygen --replace";
  if (!key && is_encrypted)
    return coded_failure(DiagnosticCode::signing_key, "this signing key is encrypted, which Hone cannot read", file,
                         advice);
  if (!key) return coded_failure(DiagnosticCode::signing_key, "this is no private key in PEM", file, advice);
  if (EVP_PKEY_get_id(key.get()) != EVP_PKEY_ED25519)
    return coded_failure(DiagnosticCode::signing_key, "this is no ed25519 key", file, advice);
  return SigningKey(std::move(key));
}

Result<bool> SigningKey::write(const std::filesystem::path& file, bool replace) const {
  const Memory memory(BIO_new(BIO_s_secmem()), BIO_free);
  if (!memory || PEM_write_bio_PKCS8PrivateKey(memory.get(), key_.get(), nullptr, nullptr, 0, nullptr, nullptr) != 1)
    return coded_failure(DiagnosticCode::signing_key, "OpenSSL does not write the key", file);
  char* text = nullptr;
  const long size = BIO_get_mem_data(memory.get(), &text);
  return os::write_private_file(file, {text, static_cast<std::size_t>(size)}, replace);
}

PublicKey SigningKey::public_key() const {
  std::array<char, 32> bytes{};
  std::size_t size = bytes.size();
  [[maybe_unused]] const int done =
      EVP_PKEY_get_raw_public_key(key_.get(), reinterpret_cast<unsigned char*>(bytes.data()), &size);
  assert(done == 1 && size == bytes.size());
  return *PublicKey::parse("ed25519:" + to_hex({bytes.data(), bytes.size()}));
}

std::string SigningKey::sign(std::string_view message) const {
  std::array<char, 64> bytes{};
  std::size_t size = bytes.size();
  const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
  [[maybe_unused]] const bool done =
      EVP_DigestSignInit(context.get(), nullptr, nullptr, nullptr, key_.get()) == 1 &&
      EVP_DigestSign(context.get(), reinterpret_cast<unsigned char*>(bytes.data()), &size,
                     reinterpret_cast<const unsigned char*>(message.data()), message.size()) == 1;
  assert(done && size == bytes.size());
  return to_hex({bytes.data(), bytes.size()});
}

bool is_exposed(const std::filesystem::path& file) {
  struct stat status {};
  return ::stat(file.c_str(), &status) == 0 && (status.st_mode & (S_IRWXG | S_IRWXO)) != 0;
}

}  // namespace hone::trust
