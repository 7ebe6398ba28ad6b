#include "tool/report/text.h"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "tool/base/printable.h"

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

const char* to_string(Phase phase) {
  switch (phase) {
    case Phase::waiting:
      return "waiting";
    case Phase::looking:
      return "looking";
    case Phase::judging:
      return "judging";
    case Phase::finals:
      return "finals";
    case Phase::done:
      return "done";
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
  if (verdict.right)
    return interval(verdict.measurement.speedup) +
           (verdict.faster ? "" : ", not accepted: " + why_not_accepted(verdict));
  const char* what = "wrong";
  if (verdict.stage == Stage::gate) what = "not allowed";
  if (verdict.stage == Stage::compile) what = "does not compile";
  return with_code(verdict.reason.empty() ? what : fmt::format("{}: {}", what, verdict.reason), verdict.code);
}

// By its figures: the worker's own words have them a second time.
std::string why_not_accepted(const Verdict& verdict) {
  constexpr double margin = 1.02;  // of the rule (statistics.h)
  const Measurement& measurement = verdict.measurement;
  const ProblemMeasurement* slowest = nullptr;
  for (const ProblemMeasurement& problem : measurement.problems)
    if (problem.speedup.high < 1 / margin && (!slowest || problem.speedup.median < slowest->speedup.median))
      slowest = &problem;
  if (slowest && measurement.problems.size() > 1)
    return fmt::format("{} on {}", times(slowest->speedup.median), slowest->label);
  const char* busy = measurement.noisy ? "; the machine was busy" : "";
  if (measurement.speedup.high < 1) return fmt::format("slower{}", busy);
  if (measurement.speedup.median < margin) return fmt::format("not faster{}", busy);
  return fmt::format("not surely faster than {:.2f}x{}", margin, busy);
}

std::string begun(const Run& run) {
  return fmt::format("{} ({}:{})", run.kernel, run.file, run.line);
}

std::string told(const TrialNews& news, unsigned trials) {
  return fmt::format("[{}/{}] {}: {}{}", news.number, news.of ? news.of : trials, news.name,
                     printable_line(describe(news.verdict)), news.replayed ? " (journal)" : "");
}

std::string ended(const KernelResult& result) {
  return fmt::format("{}{}{}", to_string(result.outcome), result.accepted ? ": " + interval(result.speedup) : "",
                     result.message.empty() ? "" : "; " + printable_line(result.message));
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

std::string commonest_failures(const std::vector<KernelResult>& results) {
  constexpr std::size_t most_reasons = 3;
  struct Reason {
    Failure failure;
    std::vector<std::string> kernels;
  };
  std::map<std::pair<std::string, std::string>, Reason> by_pattern;
  unsigned all = 0;
  for (const KernelResult& result : results)
    for (const Failure& failure : result.failures) {
      Reason& reason = by_pattern[{failure.what, failure.pattern}];
      if (reason.kernels.empty()) reason.failure = {failure.what, failure.example, failure.pattern, 0, failure.code};
      reason.failure.count += failure.count;
      reason.kernels.push_back(result.name);
      all += failure.count;
    }
  std::vector<Reason> reasons;
  for (auto& [pattern, reason] : by_pattern) reasons.push_back(std::move(reason));
  std::ranges::stable_sort(reasons, std::greater<>(), [](const Reason& reason) { return reason.failure.count; });
  if (reasons.size() > most_reasons) reasons.resize(most_reasons);
  std::string text;
  if (!reasons.empty())
    text = fmt::format("{} candidate{} came to nothing; the commonest reasons:\n", all, all == 1 ? "" : "s");
  for (const auto& [failure, kernels] : reasons)
    text += fmt::format(
        "  {} {}{}\n", failure.count,
        with_code(failure.example.empty() ? failure.what : failure.what + ": " + failure.example, failure.code),
        results.size() == 1  ? ""
        : kernels.size() > 1 ? fmt::format(" ({} and {} more)", kernels.front(), kernels.size() - 1)
                             : " (" + kernels.front() + ")");
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
  return table(rows, {false, false, true, true, true, true, true, false}) + messages + commonest_failures(results);
}

}  // namespace hone::report
