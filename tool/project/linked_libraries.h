// Which libraries outside of a project its programs link, since a kernel may call functions of theirs.
//
// It stands in what the build system has written: CMake's and Meson's build.ninja, the link.txt of CMake's Makefiles.
// (CMake's file API says the same, but only from the second time on that CMake runs.) For other builds
// `hone cc --database` has noted the links that it was asked to run (recorded_commands.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/command/compile_command.h"

namespace hone::project {

// The words with which the build's programs link them (tool/command/library_words.h), paths absolute. Those of programs
// that hold the command's object, or an archive of its target's, come first. Where nothing says what is linked there
// are none. `target`: CMake's; "": not known. Libraries in the build folder are left out: they may be absent, and their
// text is in no key.
std::vector<std::string> linked_libraries(const std::filesystem::path& build, const CompileCommand& command,
                                          const std::string& target);

}  // namespace hone::project
