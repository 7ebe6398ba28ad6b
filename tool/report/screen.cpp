#include "tool/report/screen.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/base/printable.h"
#include "tool/report/text.h"

namespace hone::report {
namespace {

constexpr std::string_view bold = "\x1b[1m", green = "\x1b[32m", dim = "\x1b[2m", plain = "\x1b[0m";
constexpr std::size_t gap = 2, margin = 2;

// In the order of their places.
enum Column : std::size_t { name, phase, best, trials, rate, left, money, last, columns };
using Cells = std::array<std::string, columns>;
using Widths = std::array<std::size_t, columns>;

// What goes first where it is narrow. The name and the state stay, whatever is cut of them.
constexpr std::array leaves_first{last, money, rate, left, trials, best};
// Less of the last trial might be a figure without what stands behind it, and less of a name is like others.
constexpr std::size_t least_of_last = 40, least_of_name = 8;

std::string per_minute(unsigned judged, double seconds) {
  return seconds > 1 && judged > 0 ? fmt::format("{:.0f}/min", judged * 60 / seconds) : "";
}

std::string time_left(double seconds) {
  return seconds == unknown_time ? "" : duration(seconds) + " left";
}

std::string money_of(const ScreenKernel& kernel) {
  const Spent& spent = kernel.spent;
  if (spent.calls == 0 && kernel.calls_open == 0) return "";
  std::vector<std::string> parts;
  if (kernel.most_cost > 0)
    parts.push_back(
        fmt::format("{:.2f} of {:.2f} left", std::max(kernel.most_cost - spent.cost, 0.0), kernel.most_cost));
  else if (spent.cost > 0)
    parts.push_back(fmt::format("{:.2f} spent", spent.cost));
  if (kernel.most_tokens > 0)
    parts.push_back(fmt::format("{} tokens left", kernel.most_tokens - std::min(kernel.most_tokens, spent.tokens)));
  else if (parts.empty())
    parts.push_back(fmt::format("{} tokens", spent.tokens));
  if (kernel.calls_open > 0) parts.push_back(fmt::format("{} asked", kernel.calls_open));
  return fmt::format("{}", fmt::join(parts, ", "));
}

Cells cells_of(const ScreenKernel& kernel) {
  Cells cells;
  cells[name] = printable_line(kernel.name);
  cells[phase] = to_string(kernel.phase);
  if (kernel.phase == Phase::done) {
    cells[best] = printable_line(kernel.outcome);
    return cells;
  }
  const bool begun = kernel.trial > 0 || kernel.phase == Phase::judging || kernel.phase == Phase::finals;
  cells[best] = kernel.best ? interval(*kernel.best) : begun ? "-" : "";
  if (begun) cells[trials] = fmt::format("{}/{}", kernel.trial, kernel.trials);
  cells[rate] = per_minute(kernel.judged, kernel.active_seconds);
  if (kernel.phase != Phase::waiting) cells[left] = time_left(kernel.seconds_left);
  cells[money] = money_of(kernel);
  cells[last] = printable_line(kernel.last);
  return cells;
}

// Of what is done the outcome may go over all columns behind it, so it widens none.
Widths widths_of(const std::vector<Cells>& rows, const std::vector<const ScreenKernel*>& kernels) {
  Widths widths{};
  for (std::size_t row = 0; row < rows.size(); ++row)
    for (std::size_t at = 0; at < columns; ++at)
      if (at <= phase || kernels[row]->phase != Phase::done)
        widths[at] = std::max(widths[at], columns_of(rows[row][at]));
  return widths;
}

std::size_t total(const Widths& widths) {
  std::size_t sum = margin;
  for (const std::size_t width : widths) sum += width ? width + gap : 0;
  return sum - gap;
}

// Fits the columns into so much room: the last trial takes what is left over, others go, and then names are cut.
void fit(Widths& widths, std::size_t room) {
  for (const Column leaving : leaves_first) {
    const std::size_t whole = total(widths);
    if (whole <= room) return;
    const std::size_t over = whole - room;
    if (leaving == last && widths[last] >= over + least_of_last) {
      widths[last] -= over;
      return;
    }
    if (widths[name] >= over + 2 * least_of_name && widths[name] > room / 3) {
      widths[name] -= over;
      return;
    }
    widths[leaving] = 0;
  }
  if (const std::size_t whole = total(widths); whole > room)
    widths[name] -= std::min(widths[name] - std::min(widths[name], least_of_name), whole - room);
}

std::string paint(const std::string& text, std::string_view color, bool wanted) {
  return wanted && !text.empty() ? fmt::format("{}{}{}", color, text, plain) : text;
}

std::string_view color_of(std::size_t column, const ScreenKernel& kernel) {
  if (column == phase) return kernel.phase == Phase::waiting || kernel.phase == Phase::done ? dim : bold;
  if (column == best) return kernel.best || kernel.phase == Phase::done ? green : dim;
  return column == last ? dim : std::string_view();
}

std::string row_of(const Cells& cells, const Widths& widths, const ScreenKernel& kernel, std::size_t room, bool color) {
  std::string line(std::min(margin, room), ' ');
  std::size_t used = line.size();
  std::size_t due = 0;  // blanks that are written before the next cell
  for (std::size_t at = 0; at < columns && used + due < room; ++at) {
    const bool is_outcome = at == best && kernel.phase == Phase::done;
    if (widths[at] == 0 && !is_outcome) continue;
    const std::string text = cut(cells[at], std::min(is_outcome ? room : widths[at], room - used - due));
    const std::size_t width = columns_of(text);
    const bool right = at == trials || at == rate;
    if (right && !text.empty()) due += widths[at] - std::min(widths[at], width);
    const auto painted = color_of(at, kernel);
    if (!text.empty()) {
      line.append(due, ' ').append(painted.empty() ? text : paint(text, painted, color));
      used += due + width;
      due = 0;
    }
    if (is_outcome) break;
    due += gap + (right && !text.empty() ? 0 : widths[at] - std::min(widths[at], width));
  }
  return line;
}

std::string count_of(const std::vector<const ScreenKernel*>& kernels, Phase phase) {
  const auto count = std::ranges::count(kernels, phase, &ScreenKernel::phase);
  return count ? fmt::format("{} {}", count, to_string(phase)) : "";
}

std::string counts(const std::vector<const ScreenKernel*>& kernels) {
  std::vector<std::string> parts;
  for (const Phase each : {Phase::looking, Phase::judging, Phase::finals, Phase::waiting, Phase::done})
    if (std::string part = count_of(kernels, each); !part.empty()) parts.push_back(std::move(part));
  return fmt::format("{}", fmt::join(parts, ", "));
}

std::string heading(const ScreenState& state, const std::vector<const ScreenKernel*>& all) {
  unsigned trials = 0, judged = 0;
  double cost = 0;
  for (const ScreenKernel* kernel : all) {
    trials += kernel->trial;
    judged += kernel->judged;
    cost += kernel->spent.cost;
  }
  std::vector<std::string> parts{fmt::format("{} kernel{}: {}", all.size(), all.size() == 1 ? "" : "s", counts(all)),
                                 fmt::format("{} candidate{}", trials, trials == 1 ? "" : "s")};
  if (const std::string rate = per_minute(judged, state.seconds); !rate.empty()) parts.back() += ", " + rate;
  if (cost > 0) parts.push_back(fmt::format("{:.2f} spent", cost));
  if (state.seconds_left != unknown_time) parts.push_back(time_left(state.seconds_left));
  if (state.stopping) parts.front() = "stopping; " + parts.front();
  return fmt::format("{}", fmt::join(parts, "; "));
}

bool is_active(const ScreenKernel* kernel) {
  return kernel->phase != Phase::waiting && kernel->phase != Phase::done;
}

// As many as there is room for, in their order: those that something happens to, then those that wait, then the done.
std::vector<const ScreenKernel*> shown(const std::vector<const ScreenKernel*>& all, std::size_t room) {
  std::vector<const ScreenKernel*> first = all;
  std::ranges::stable_sort(first, {}, [](const ScreenKernel* kernel) {
    return is_active(kernel)                                      ? 0
           : kernel->phase == Phase::waiting && kernel->trial > 0 ? 1
           : kernel->phase == Phase::waiting                      ? 2
                                                                  : 3;
  });
  if (first.size() > room) first.resize(room);
  std::vector<const ScreenKernel*> kernels;
  for (const ScreenKernel* kernel : all)
    if (std::ranges::find(first, kernel) != first.end()) kernels.push_back(kernel);
  return kernels;
}

}  // namespace

std::vector<std::string> screen(const ScreenState& state, TerminalSize size, bool color) {
  const std::size_t width = std::max<std::size_t>(size.columns, 2) - 1;
  const std::size_t height = std::max<std::size_t>(size.rows, 2) - 1;
  std::vector<const ScreenKernel*> all;
  for (const ScreenKernel& kernel : state.kernels) all.push_back(&kernel);
  std::vector<std::string> lines{paint(cut(heading(state, all), width), bold, color)};
  if (height == 1) return lines;
  const bool fits = all.size() + 1 <= height;
  const auto kernels = shown(all, fits ? all.size() : height - 2);  // a line for the others
  std::vector<Cells> rows;
  for (const ScreenKernel* kernel : kernels) rows.push_back(cells_of(*kernel));
  Widths widths = widths_of(rows, kernels);
  fit(widths, width);
  for (std::size_t row = 0; row < rows.size(); ++row)
    lines.push_back(row_of(rows[row], widths, *kernels[row], width, color));
  if (fits) return lines;
  std::vector<const ScreenKernel*> others;
  for (const ScreenKernel* kernel : all)
    if (std::ranges::find(kernels, kernel) == kernels.end()) others.push_back(kernel);
  lines.push_back(cut(fmt::format("  and {} more: {}", others.size(), counts(others)), width));
  return lines;
}

}  // namespace hone::report
