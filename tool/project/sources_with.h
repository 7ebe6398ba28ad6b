// The sources of a build by the words in their texts, for who looks for a definition (frontend/find/elsewhere.h).
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "tool/command/compile_command.h"

namespace hone::project {

// Reads the build's compile_commands.json when it is first called, and the texts each time: those commands whose source
// has the word as a whole one; of the word "" all. Without that file there are none. One thread at a time.
std::function<std::vector<CompileCommand>(const std::string& word)> sources_with(std::filesystem::path build);

// The same of these commands.
std::vector<CompileCommand> with_word(const std::vector<CompileCommand>& commands, const std::string& word);

}  // namespace hone::project
