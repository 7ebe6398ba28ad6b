#include "tool/report/text.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace hone::report {
namespace {

// Columns on a terminal, near enough: continuation bytes of UTF-8 take none.
std::size_t width(const std::string& text) {
  return std::count_if(text.begin(), text.end(), [](unsigned char byte) { return (byte & 0xc0) != 0x80; });
}

std::string place_of(const KernelResult& result) {
  return fmt::format("{}:{}", result.file, result.line);
}

}  // namespace

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::tuned:
      return "tuned";
    case Outcome::already_tuned:
      return "already tuned";
    case Outcome::recalled:
      return "from the cache";
    case Outcome::locked_again:
      return "locked again";
    case Outcome::original_kept:
      return "original kept";
    case Outcome::refused:
      return "refused";
    case Outcome::unfinished:
      return "unfinished";
    case Outcome::interrupted:
      return "interrupted";
    case Outcome::failed:
      return "failed";
  }
  return "";
}

std::string times(double ratio) {
  return ratio < 100 ? fmt::format("{:.2f}x", ratio) : fmt::format("{:.0f}x", ratio);
}

std::string interval(const Speedup& speedup) {
  return fmt::format("{} [{:.2f}, {:.2f}]", times(speedup.median), speedup.low, speedup.high);
}

std::string duration(double seconds) {
  const long long whole = std::llround(std::max(seconds, 0.0));
  if (whole < 3600) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
}

std::string describe(const Verdict& verdict) {
  if (verdict.right && verdict.measurement.problems.empty()) return "right, not timed";
  if (verdict.right) return interval(verdict.measurement.speedup) + (verdict.faster ? "" : ", not accepted");
  const char* what = "wrong";
  if (verdict.stage == Stage::gate) what = "not allowed";
  if (verdict.stage == Stage::compile) what = "does not compile";
  return verdict.reason.empty() ? what : fmt::format("{}: {}", what, verdict.reason);
}

std::string tolerance_used(const Verdict& verdict) {
  const double percent = 100 * verdict.tolerance_used;
  return fmt::format("its worst error takes {} of the tolerance",
                     percent < 1 ? fmt::format("{:.2g}%", percent) : fmt::format("{:.0f}%", percent));
}

std::string table(const std::vector<std::vector<std::string>>& rows, const std::vector<bool>& numbers) {
  std::vector<std::size_t> widths;
  for (const auto& row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], width(row[i]));
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string padding(widths[i] - width(row[i]), ' ');
      if (i) line += "  ";
      line += i < numbers.size() && numbers[i] ? padding + row[i] : row[i] + padding;
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
  }
  return text;
}

std::string summary(const std::vector<KernelResult>& results) {
  std::vector<std::vector<std::string>> rows{
      {"kernel", "speedup", "trials", "compiled", "right", "faster", "time", "result"}};
  std::string messages;
  for (const KernelResult& result : results) {
    const TrialCounts& trials = result.trials;
    const bool searched = trials.total > 0;
    auto count = [&](unsigned number) { return searched ? std::to_string(number) : std::string("-"); };
    rows.push_back({result.name, result.accepted ? interval(result.speedup) : "-", count(trials.total),
                    count(trials.compiled), count(trials.right), count(trials.faster), duration(result.seconds),
                    to_string(result.outcome)});
    if (!result.message.empty()) messages += fmt::format("{}: {}: {}\n", place_of(result), result.name, result.message);
  }
  return table(rows, {false, false, true, true, true, true, true, false}) + messages;
}

}  // namespace hone::report
