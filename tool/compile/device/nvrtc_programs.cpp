#include "tool/compile/device/nvrtc_programs.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <vector>

namespace hone::compile {
namespace fs = std::filesystem;
namespace {

std::string first_there(const std::vector<fs::path>& places) {
  std::error_code error;
  const auto found = std::ranges::find_if(places, [&](const fs::path& place) { return fs::exists(place, error); });
  return found == places.end() ? std::string() : found->string();
}

std::string find_program() {
  if (const char* named = std::getenv("HONE_NVRTC"); named != nullptr) return first_there({named});
  std::error_code error;
  const fs::path folder = fs::read_symlink("/proc/self/exe", error).parent_path();
  return first_there({folder / "hone-nvrtc", (folder / "../libexec/hone/hone-nvrtc").lexically_normal()});
}

// "libnvrtc.so", else the latest "libnvrtc.so.13".
std::string find_library(const fs::path& folder) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(folder, error))
    if (entry.path().filename().string().starts_with("libnvrtc.so")) found.push_back(entry.path());
  if (found.empty()) return "";
  std::ranges::sort(found, [](const fs::path& a, const fs::path& b) {
    return a.extension() == ".so" || (b.extension() != ".so" && a > b);
  });
  return found.front().string();
}

}  // namespace

// The folder above that of nvcc itself.
fs::path toolkit_of(const Toolchain& nvcc) {
  std::error_code error;
  const fs::path real = fs::canonical(nvcc.program, error);
  return (error ? fs::path(nvcc.program) : real).parent_path().parent_path();
}

NvrtcPrograms find_nvrtc(const Toolchain& nvcc) {
  const fs::path toolkit = toolkit_of(nvcc);
  NvrtcPrograms programs{find_program(), "", first_there({toolkit / "bin/fatbinary"})};
  for (const char* folder : {"lib64", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"})
    if (programs.library.empty()) programs.library = find_library(toolkit / folder);
  return programs;
}

}  // namespace hone::compile
