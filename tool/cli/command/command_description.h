// A command's own description, read off CLI11: for man pages and completions (tool/manual).
//
// `hone COMMAND` describes itself when it parses its command line, so that is where the description is taken: parse()
// throws it where it is given kDescribe for an only argument. main.cpp catches it; no user sees the word.
#pragma once

#include <CLI/CLI.hpp>

#include "tool/manual/command_text.h"

namespace hone::cli {

inline constexpr const char* kDescribe = "--describe-command";

struct Described {
  manual::CommandText command;
};

manual::CommandText description_of(const CLI::App& app);

}  // namespace hone::cli
