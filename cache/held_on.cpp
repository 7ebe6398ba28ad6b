#include "cache/held_on.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "cache/four_digits.h"

namespace hone::cache {
namespace {

constexpr std::size_t beginning = 16;  // hex digits: enough to tell variants apart, and a short line
constexpr double most = 1e6;

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f');
}

const MachineFigure* find(const HeldOn& held, const std::string& machine) {
  const auto found = held.find(machine);
  return found == held.end() ? nullptr : &found->second;
}

bool same(const MachineFigure* a, const MachineFigure* b) {
  return a && b ? *a == *b : a == b;
}

auto favor(const MachineFigure& figure) {
  return std::tuple(figure.right, figure.high, figure.low, figure.median, figure.of, figure.tuned);
}

const MachineFigure* chosen(const MachineFigure* base, const MachineFigure* ours, const MachineFigure* theirs) {
  if (same(ours, theirs) || same(theirs, base)) return ours;
  if (same(ours, base)) return theirs;
  if (!ours || !theirs) return ours ? ours : theirs;
  return favor(*theirs) < favor(*ours) ? theirs : ours;
}

}  // namespace

const char* to_string(Standing standing) {
  switch (standing) {
    case Standing::holds:
      return "holds";
    case Standing::even:
      return "even";
    case Standing::slower:
      return "slower";
    case Standing::wrong:
      break;
  }
  return "wrong";
}

Standing standing_of(const MachineFigure& figure) {
  if (!figure.right) return Standing::wrong;
  if (figure.high < 1) return Standing::slower;
  return figure.low > 1 ? Standing::holds : Standing::even;
}

MachineFigure figure_of(const Digest& variant, double median, double low, double high) {
  return {variant.substr(0, beginning), true, four_digits(median), four_digits(low), four_digits(high)};
}

MachineFigure wrong_figure_of(const Digest& variant) {
  return {variant.substr(0, beginning), false};
}

bool is_about(const MachineFigure& figure, const Digest& variant) {
  return figure.of.size() >= beginning && variant.starts_with(figure.of);
}

std::string why_no_figure(const MachineFigure& figure) {
  if (figure.of.size() < beginning || figure.of.size() > 64 || !std::ranges::all_of(figure.of, is_hex))
    return "\"of\" is not a variant's digest (its first 16 digits)";
  for (const double number : {figure.median, figure.low, figure.high})
    if (!(number > 0 && number <= most)) return "a figure is not a number between 0 and a million";
  if (figure.low > figure.median || figure.median > figure.high) return "an interval is not around its median";
  return "";
}

HeldOn figures_about(const HeldOn& held, const Digest& variant) {
  HeldOn about = held;
  std::erase_if(about, [&](const auto& one) { return !is_about(one.second, variant); });
  return about;
}

void put_figure(HeldOn& held, const std::string& machine, MachineFigure figure) {
  const MachineFigure* last = find(held, machine);
  figure.tuned |= last && last->tuned && last->of == figure.of;
  held[machine] = std::move(figure);
}

void keep_figures(HeldOn& held, const HeldOn& old, const Digest& variant) {
  held = figures_about(held, variant);
  held.merge(figures_about(old, variant));
}

HeldOn merged_figures(const HeldOn& base, const HeldOn& ours, const HeldOn& theirs) {
  std::set<std::string> machines;
  for (const HeldOn* side : {&ours, &theirs})
    for (const auto& [machine, figure] : *side) machines.insert(machine);
  HeldOn merged;
  for (const std::string& machine : machines)
    if (const MachineFigure* one = chosen(find(base, machine), find(ours, machine), find(theirs, machine)))
      merged[machine] = *one;
  return merged;
}

}  // namespace hone::cache
