// Which of the installed GCCs lends Clang its C++ headers. Thread-safe.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace hone::frontend {

// Clang takes the newest GCC under <root>/usr/lib/gcc, also where only its runtime is installed (Ubuntu has that beside
// an older compiler), and then finds no <cmath>. The folder of the newest one with headers, for --gcc-install-dir=;
// nullopt: Clang's own choice is right, or there is nothing better.
std::optional<std::string> gcc_with_headers(const std::filesystem::path& root = "/");

// What a GCC says that lies elsewhere, or is a script in front of one.
struct GccAnswer {
  std::vector<std::string> standard_headers;  // the folders of C++'s
  std::string target;                         // "aarch64-linux-gnu"; "": it does not say
};
// Runs it to ask (15 ms), once in a process: each parser of a file wants to know. Empty: it does not answer, and is
// asked again.
GccAnswer ask_gcc(const std::string& compiler);

// The folder that a cross compiler takes for the root of its system; "": none, or it does not answer.
std::string sysroot_of(const std::string& compiler);

// "aarch64-linux-gnu" of "aarch64-linux-gnu-g++-12"; "": the name says none.
std::string target_in_name(const std::string& program);

// Is code for `target` other code than this machine's compilers make?
bool is_foreign(const std::string& target);

}  // namespace hone::frontend
