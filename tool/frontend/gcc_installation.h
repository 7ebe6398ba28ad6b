// Which of the installed GCCs lends Clang its C++ headers. Reads folders; thread-safe.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace hone::frontend {

// Clang takes the newest GCC under <root>/usr/lib/gcc, also where only its runtime is installed (Ubuntu has that beside
// an older compiler), and then finds no <cmath>. The folder of the newest one with headers, for --gcc-install-dir=;
// nullopt: Clang's own choice is right, or there is nothing better.
std::optional<std::string> gcc_with_headers(const std::filesystem::path& root = "/");

}  // namespace hone::frontend
