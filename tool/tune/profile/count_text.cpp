#include "tool/tune/profile/count_text.h"

#include <fmt/format.h>

#include <utility>

#include "tool/tune/profile/quoted_line.h"

namespace hone::tune {
namespace {

constexpr double worth_a_line = 0.02;  // of the instructions: at most fifty lines can take so much

// "1.2 million", "340 thousand": two or three digits, which stay the same from run to run.
std::string amount(double count) {
  for (const auto& [unit, name] : {std::pair(1e9, " thousand million"), {1e6, " million"}, {1e3, " thousand"}})
    if (count >= unit) return fmt::format("{:.{}f}{}", count / unit, count / unit < 10 ? 1 : 0, name);
  return fmt::format("{:.0f}", count);
}

std::string share(double part, double whole) {
  const double percent = whole > 0 ? 100 * part / whole : 0;
  return percent > 0 && percent < 1 ? fmt::format("{:.1f}%", percent) : fmt::format("{:.0f}%", percent);
}

}  // namespace

std::string executed(const ExecutionCounts& counts, std::string_view source) {
  std::string text = fmt::format(
      "- {}: {} instructions; {} reads and writes, of which {} miss the first-level cache and {} the last; {} "
      "conditional branches, {} mispredicted\n",
      counts.problem, amount(counts.instructions), amount(counts.accesses),
      share(counts.first_level_misses, counts.accesses), share(counts.last_level_misses, counts.accesses),
      amount(counts.branches), share(counts.mispredictions, counts.branches));
  const auto lines = lines_of(source);
  for (const LineCounts& line : counts.lines)
    if (line.instructions >= worth_a_line * counts.instructions)
      text += fmt::format("- {}: {} of the instructions, {} of the first-level misses\n", quoted_line(lines, line.line),
                          share(line.instructions, counts.instructions),
                          share(line.first_level_misses, counts.first_level_misses));
  return text;
}

}  // namespace hone::tune
