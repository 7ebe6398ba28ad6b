#include "tool/search/text/figures.h"

#include <array>
#include <charconv>
#include <cmath>

#include <fmt/format.h>

namespace hone::search {
namespace {

// Three digits, without an exponent between 0.01 and 9999.
std::string three_digits(double value) {
  if (!std::isfinite(value)) return "unknown";
  const double size = std::abs(value);
  if (size >= 100) return fmt::format("{:.0f}", value);
  if (size >= 10) return fmt::format("{:.1f}", value);
  return fmt::format("{:.2f}", value);
}

template <std::size_t N>
std::string scaled(double value, double step, const std::array<const char*, N>& units) {
  std::size_t unit = 0;
  while (unit + 1 < N && value >= 999.5 && std::isfinite(value)) {
    value /= step;
    ++unit;
  }
  return three_digits(value) + " " + units[unit];
}

}  // namespace

std::string seconds_text(double seconds) {
  return scaled(seconds * 1e9, 1000, std::array{"ns", "us", "ms", "s"});
}

std::string bytes_text(double bytes) {
  return scaled(bytes, 1000, std::array{"B", "kB", "MB", "GB", "TB"});
}

std::string cache_text(double bytes) {
  std::size_t unit = 0;
  constexpr std::array units{"B", "KiB", "MiB", "GiB"};
  while (unit + 1 < units.size() && bytes >= 1024) {
    bytes /= 1024;
    ++unit;
  }
  return (bytes == std::floor(bytes) ? fmt::format("{:.0f} ", bytes) : fmt::format("{:.1f} ", bytes)) + units[unit];
}

std::string rate_text(double per_second, std::string_view unit) {
  return scaled(per_second, 1000, std::array{"", "k", "M", "G", "T"}) + std::string(unit);
}

std::string ratio_text(double ratio) {
  return three_digits(ratio) + "x";
}

std::string percent_text(double share) {
  return fmt::format("{:.0f}%", share * 100);
}

std::optional<double> parse_ratio(std::string_view text) {
  const std::size_t digit = text.find_first_of("0123456789");
  if (digit == std::string_view::npos) return {};
  double value = 0;
  const auto end = std::from_chars(text.data() + digit, text.data() + text.size(), value);
  if (end.ec != std::errc{} || !(value > 0) || value > 1e6) return {};
  return value;
}

std::string speedup_text(const Speedup& speedup) {
  return ratio_text(speedup.median) + " as fast as the original (" + ratio_text(speedup.low) + " to " +
         ratio_text(speedup.high) + ")";
}

std::string problems_text(const Measurement& measurement) {
  std::string text;
  for (const ProblemMeasurement& problem : measurement.problems)
    text += "- " + problem.label + ": " + ratio_text(problem.speedup.median) + " (" +
            seconds_text(problem.candidate_seconds) + ", the original " + seconds_text(problem.reference_seconds) +
            ")\n";
  if (!text.empty()) text.pop_back();
  return text;
}

}  // namespace hone::search
