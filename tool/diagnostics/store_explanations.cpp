// Stores of tuned variants, shared ones too, and whose word counts.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;

constexpr Explanation kStoreRows[] = {
    {Code::store_folder, "store-folder", "No folder is known for the cache or the keys",
     R"(The user's cache is `$XDG_CACHE_HOME/hone`, else `~/.cache/hone`; keys are in `$XDG_CONFIG_HOME/hone`, else
`~/.config/hone`. None of the variables is set, as in a bare container. Set HOME or XDG_CACHE_HOME;
HONE_SIGNING_KEY names a key's file.)"},
    {Code::store_unwritable, "store-unwritable", "The cache, or the lock file, cannot be written",
     R"(The folder belongs to somebody else, the disk is full, or every level is read-only. What was tuned is in the
lock file as far as it was written; without the variant's text a build links the original. The message names the
file. Correct its permissions, or set XDG_CACHE_HOME to another folder, and tune again: verdicts that are in the
journal are not judged again.)"},
    {Code::store_entry_missing, "store-entry-missing", "A variant or a record is in no store",
     R"(The lock file names a text by its digest, which neither `hone/cas`, the cache nor the shared store has, or what
is there is not what its digest says. Call `hone cache pull`, restore `hone/` from version control, or tune the
kernel again.)"},
    {Code::shared_store, "shared-store", "The shared store is not named as it should be",
     R"(HONE_CACHE_URL is its address, `https://…` or `http://…`; HONE_CACHE_PUSH is 1 to send what is tuned, or 0.
Example: `export HONE_CACHE_URL=https://cache.example.com/hone`. Nothing was sent.)"},
    {Code::shared_store_failed, "shared-store-failed", "The shared store does not answer as it should",
     R"(The address cannot be reached, the server refuses (401, 403: the token in HONE_CACHE_TOKEN; 404: the path), or
what it sends is damaged, which is not used. Builds go on without it. Try the address with `curl -I`; `hone
cache push` sends later what was left.)"},
    {Code::signing_key, "signing-key", "The signing key cannot be used",
     R"(It is the file in which `hone cache keygen` keeps your private key: PEM, ed25519, not encrypted, readable by you
alone. The message says what is wrong with it. `hone cache keygen --replace` makes another; those who trust the
old one must trust the new one.)"},
    {Code::public_key, "public-key", "This is no public key",
     R"(A key is `ed25519:` and 64 hex digits, as `hone cache keygen --show` prints it. Copy it whole: `hone cache trust
ed25519:… --as NAME`.)"},
    {Code::trust_file, "trust-file", "The trust file cannot be used",
     R"(`hone.trust` beside the lock file lists whose signatures the project believes. It has conflicts, is damaged, or
is of a newer Hone. Nobody is trusted until it is mended: keep the lines of the keys that the project trusts, or
restore it from version control.)"},
    {Code::trust_name, "trust-name", "The name stands for another key, or for nobody",
     R"(Names in `hone.trust` are unique. `hone cache trust` without a key lists who is trusted. Choose another with
`--as NAME`, or take the old key out with `hone cache untrust NAME`.)"},
};

}  // namespace

std::span<const Explanation> store_explanations() {
  return kStoreRows;
}

}  // namespace hone
