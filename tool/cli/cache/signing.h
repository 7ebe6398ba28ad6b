// The user's own signing key: where it is, and what it says.
//
//   HONE_SIGNING_KEY                           the path of its file, for a CI; else
//   $XDG_CONFIG_HOME/hone/signing-key.pem      or ~/.config/hone/signing-key.pem
//
// The variable names a file, so that no child inherits a secret. The key is never printed.
#pragma once

#include <filesystem>
#include <optional>

#include "tool/base/result.h"
#include "tool/trust/signing_key.h"

namespace hone::cli {

Result<std::filesystem::path> signing_key_file();

// nullopt: the user has none. Error: it cannot be read, or the variable names none. Warns of a file that others may
// read.
Result<std::optional<trust::SigningKey>> own_signing_key();

}  // namespace hone::cli
