// compute-sanitizer: how it is called, and what its report says. Pure, but for looking for the program.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace hone::judge {

// The CUDA toolkit's tools that look for memory errors, races in shared memory, reads of what was never written, and
// barriers that not all threads reach.
inline constexpr const char* compute_sanitizer_tools[] = {"memcheck", "racecheck", "initcheck", "synccheck"};

struct ComputeSanitizerFinding {
  std::string kind;      // "Invalid __global__ write of size 4 bytes"
  std::string sentence;  // with kernel and line where they are known
  std::string report;
};

// On PATH or in the toolkit's usual place; nullopt: not installed.
std::optional<std::string> find_compute_sanitizer();
std::vector<std::string> compute_sanitizer_command(const std::string& program, const std::string& tool);

// Did the tool come to its summary? Else it could not run here, and that it found nothing means nothing.
bool compute_sanitizer_ran(std::string_view report);

// The first thing that it complains of; nullopt: nothing.
std::optional<ComputeSanitizerFinding> first_finding(std::string_view report);

}  // namespace hone::judge
