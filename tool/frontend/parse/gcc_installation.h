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

// The folders of C++'s standard headers of a GCC that lies elsewhere, or is a script in front of one: runs it to ask
// (15 ms). Empty: it does not say.
std::vector<std::string> standard_headers_of(const std::string& compiler);

}  // namespace hone::frontend
