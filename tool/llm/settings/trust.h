// The user's yes to what a project's own files name: where source goes, with which key.
//
// A cloned repository's hone.json may name an endpoint of its own and `"key_env": "GITHUB_TOKEN"`. Nothing of that is
// used before the user has allowed it for that project and these very names. The yes lies outside of every repository,
// in $XDG_CONFIG_HOME/hone/trusted.json (else ~/.config/hone/trusted.json), which a person may read and edit:
//
//   { "trusted": [ { "folder": "/home/me/blur", "names": ["openai at https://llm.example with the key in X_KEY"] } ] }
//
// Needs no yes: what the user names on the command line or in the environment, and an endpoint on this machine
// without a key of the project's choosing.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/llm/settings/model_settings.h"
#include "tool/llm/settings/variables.h"

namespace hone::llm {

// What the user has to agree to, a line for each model; empty: nothing.
std::vector<std::string> named_by_project(const Settings& settings);

// Error: it needs a yes that the user has not given for this folder, or the file of them cannot be read.
Result<void> check_trust(const Settings& settings, const std::filesystem::path& folder, const Environment& environment);

// Keeps the yes. Error: the file cannot be written.
Result<void> trust(const Settings& settings, const std::filesystem::path& folder, const Environment& environment);

}  // namespace hone::llm
