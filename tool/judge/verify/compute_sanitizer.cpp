#include "tool/judge/verify/compute_sanitizer.h"

#include <cstdlib>
#include <regex>
#include <sstream>

#include "tool/os/process/environment.h"

namespace hone::judge {

std::optional<std::string> find_compute_sanitizer() {
  const char* path = std::getenv("PATH");
  return os::find_installed_program("compute-sanitizer", std::string(path ? path : "") + ":/usr/local/cuda/bin");
}

std::vector<std::string> compute_sanitizer_command(const std::string& program, const std::string& tool) {
  // Faults in another context of the process are followed too; one finding is enough, and a kernel's first is the
  // cause.
  std::vector<std::string> command{
      program, "--tool", tool, "--print-limit", "1", "--target-processes", "application-only", "--launch-timeout",
      "60"};
  if (tool == "racecheck") command.insert(command.end(), {"--racecheck-report", "analysis"});
  return command;
}

bool compute_sanitizer_ran(std::string_view report) {
  return report.find("========= ERROR SUMMARY") != std::string_view::npos ||
         report.find("========= RACECHECK SUMMARY") != std::string_view::npos;
}

// "========= Invalid __global__ write of size 4 bytes", "=========     at scale(float *, int)+0x90 in saxpy.cu:7",
// "========= Error: Race reported between Write access at …", "========= Uninitialized __global__ memory read of size
// 4".
std::optional<ComputeSanitizerFinding> first_finding(std::string_view report) {
  static const std::regex finding(
      R"(^=========\s+((?:(?:Error|Warning): )?(?:Invalid|Race reported|Uninitialized|Barrier error|Potential|Out-of-range|Misaligned|Malloc|Illegal|Unused|Divergent|Missing|Stack overflow)\b.*?)\s*$)");
  static const std::regex place(R"(^=========\s+at (.*?)(?:\+0x[0-9a-f]+)?(?: in (\S+:\d+))?\s*$)");
  static const std::regex inline_place(R"( at (.*?)\+0x[0-9a-f]+(?: in (\S+:\d+))?)");
  std::istringstream lines{std::string(report)};
  ComputeSanitizerFinding found;
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    if (found.kind.empty()) {
      if (!std::regex_search(line, match, finding)) continue;
      std::string text = match[1].str();
      if (std::smatch where; std::regex_search(text, where, inline_place)) {
        found.kind = text.substr(0, static_cast<std::size_t>(where.position(0)));
        found.sentence = found.kind + " in " + where[1].str();
        if (where[2].matched) found.sentence += ", " + where[2].str();
        break;
      }
      found.kind = found.sentence = text;
      continue;
    }
    if (std::regex_search(line, match, place)) {
      found.sentence += " in " + match[1].str();
      if (match[2].matched) found.sentence += ", " + match[2].str();
      break;
    }
  }
  if (found.kind.empty()) return std::nullopt;
  found.report = std::string(report);
  return found;
}

}  // namespace hone::judge
