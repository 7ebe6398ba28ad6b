// Completions of the command line for three shells, as files that they load by themselves. Pure.
//
// Commands, options and their values are written out; the names of kernels are asked of `hone list --json`, which gets
// two seconds, and codes of `hone explain`.
#pragma once

#include <string>
#include <vector>

#include "tool/manual/command_text.h"

namespace hone::manual {

std::string bash_completion(const ProgramText& program);  // share/bash-completion/completions/hone.bash
std::string zsh_completion(const ProgramText& program);   // share/zsh/site-functions/_hone
std::string fish_completion(const ProgramText& program);  // share/fish/vendor_completions.d/hone.fish

// What a description lists as {a,b,c}.
std::vector<std::string> choices_of(const OptionText& option);

}  // namespace hone::manual
