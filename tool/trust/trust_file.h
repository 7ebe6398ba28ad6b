// hone.trust: whose word a project takes. JSON beside the lock file, committed with it, one key a line.
//
//   { "version": 1,
//     "keys": [
//       { "key": "ed25519:<64 hex>", "name": "ci" },      the name is the project's own, and may be left out
//       … ],
//     "withdrawn": [                                      digests of records or variants that count no more, whoever
//       "<64 hex>",                                       signed them; where there are any
//       … ] }
//
// Sorted by name, then key. A key or a name that is there twice is an error. Unknown members are kept, at the top and
// in entries. Written atomically and only when something changed; a symbolic link stays one; two writers at once lose
// nothing.
#pragma once

#include <filesystem>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "cache/digest.h"
#include "tool/base/result.h"
#include "tool/trust/public_key.h"

namespace hone::trust {

struct TrustedKey {
  PublicKey key;
  std::string name;   // "": none
  std::string extra;  // unknown members as a JSON object text, "" for none
};

struct TrustFile {
  std::vector<TrustedKey> keys;
  std::string extra;  // unknown members at the top, as a JSON object text, "" for none
  std::set<cache::Digest> withdrawn;

  // A missing file trusts nobody; one that is not whole is an Error with line and column.
  static Result<TrustFile> read(const std::filesystem::path& path);
  static Result<TrustFile> parse(const std::string& text, const std::string& name);  // `name` stands in errors

  const TrustedKey* find(const PublicKey& key) const;
  const TrustedKey* find_name(const std::string& name) const;

  std::string text() const;

  // Read, change, write, under an exclusive lock. An Error of `change` leaves the file as it is.
  static Result<void> update(const std::filesystem::path& path, const std::function<Result<void>(TrustFile&)>& change);
};

// hone.trust beside the lock file.
std::filesystem::path trust_file_beside(const std::filesystem::path& lock);

}  // namespace hone::trust
