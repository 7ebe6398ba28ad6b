// A command that compiles sources and links them at once (`gcc -O3 -o run run.c -lm`), taken apart: small programs are
// often built so, and a variant can only be put into a compile.
//
// The compiles are the command without what only the linker reads, each with -c and an object of its own; the link is
// the command with the objects in the sources' places. GCC's, Clang's and nvcc's spelling. Commands that leave files
// beside their output (dependencies, kept temporaries, split debug information, coverage) or name a language (-x) are
// left whole. Reads response files, else pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone {

struct CompileAndLink {
  std::vector<std::vector<std::string>> compiles;
  std::vector<std::string> objects;  // of the compiles, in `folder`
  std::vector<std::string> link;
};

// nullopt: no such command. `folder`: where the objects shall be.
std::optional<CompileAndLink> split_compile_and_link(const std::vector<std::string>& arguments,
                                                     const std::string& folder);

// What the command makes: of -o, else "a.out".
std::string linked_output(const std::vector<std::string>& command);

}  // namespace hone
