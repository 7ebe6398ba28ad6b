// `hone cache keygen`, `trust` and `untrust`: with which key a user signs, and whose word a project takes.
//
// A project's trusted keys lie in hone.trust beside its lock file; that file is committed, and a change of it is
// reviewed as a change of who may choose code.
#pragma once

#include <filesystem>
#include <set>
#include <string>

#include "tool/cli/command/command.h"

namespace hone::cli {

// Makes the user's key and prints its public half. `replace`: also where there is one; `show`: prints what there is.
int keygen(bool replace, bool show);

// Which project: its lock file, or "" for those of the build folder, else the nearest hone.lock above this folder.
struct TrustPlace {
  const ProjectOptions& options;
  std::string lock;
};

Result<std::set<std::filesystem::path>> locks_of(const TrustPlace& place);

int list_trusted(const TrustPlace& place);
int trust_key(const TrustPlace& place, const std::string& key, const std::string& name);
// A key, its name, or the digest of a variant or record that counts no more.
int untrust(const TrustPlace& place, const std::string& what);

}  // namespace hone::cli
