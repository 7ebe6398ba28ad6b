// What a child gets to know of the caller's environment, and where its program is.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/os/sandbox/sandbox.h"

namespace hone::os {

using Environment = std::map<std::string, std::string>;

// *_KEY, *_TOKEN, *_SECRET, *PASSWORD*, *CREDENTIAL*, in any case.
bool is_secret(const std::string& name);

Environment environment_without_secrets();

// PATH, LANG, TMPDIR and HOME, and nothing of the caller's.
Environment minimal_environment(const SandboxPolicy& policy);

// The path of a program as execvp would find it: a name with a slash is taken from `directory` ("": the current one).
Result<std::string> find_program(const std::string& name, const std::string& directory, const std::string& search_path);
// The same for a program that will be run from another folder: those of `search_path` that are relative do not count.
std::optional<std::string> find_installed_program(const std::string& name, const std::string& search_path);

}  // namespace hone::os
