#include "tool/model/tried.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace hone {
namespace {

void note(std::vector<std::string>& list, std::string_view what) {
  if (!what.empty() && std::ranges::find(list, what) == list.end()) list.emplace_back(what);
}

void widen(std::vector<ScalarRange>& ranges, std::string_view name, double from, double to) {
  const auto found = std::ranges::find(ranges, name, &ScalarRange::name);
  if (found == ranges.end()) {
    ranges.push_back({std::string(name), from, to});
    return;
  }
  found->from = std::min(found->from, from);
  found->to = std::max(found->to, to);
}

std::string sizes_text(const Tried& tried) {
  if (tried.cases == 0) return "";
  std::vector<std::string> parts;
  for (const ScalarRange& range : tried.scalars)
    parts.push_back(range.from == range.to ? fmt::format("{} {:.6g}", range.name, range.from)
                                           : fmt::format("{} {:.6g} to {:.6g}", range.name, range.from, range.to));
  return fmt::format("{}{}{} cases", fmt::join(parts, ", "), parts.empty() ? "" : "; ", tried.cases);
}

}  // namespace

void Tried::note_scalar(std::string_view name, double value) {
  widen(scalars, name, value, value);
}
void Tried::note_values(std::string_view what) {
  note(values, what);
}
void Tried::note_check(std::string_view what) {
  note(checks, what);
}
void Tried::note_not_tried(std::string_view what) {
  note(not_tried, what);
}

void Tried::add(const Tried& other) {
  cases += other.cases;
  for (const ScalarRange& range : other.scalars) widen(scalars, range.name, range.from, range.to);
  for (const std::string& what : other.values) note(values, what);
  for (const std::string& what : other.checks) note(checks, what);
  for (const std::string& what : other.not_tried) note(not_tried, what);
  if (proof.empty()) proof = other.proof;
}

std::vector<TriedLine> lines_of(const Tried& tried) {
  std::vector<TriedLine> lines;
  const auto add = [&](const char* label, std::string text) {
    if (!text.empty()) lines.push_back({label, std::move(text)});
  };
  add("sizes", sizes_text(tried));
  add("values", fmt::format("{}", fmt::join(tried.values, ", ")));
  add("checks", fmt::format("{}", fmt::join(tried.checks, ", ")));
  add("proof", tried.proof);
  add("not tried", fmt::format("{}", fmt::join(tried.not_tried, "; ")));
  return lines;
}

}  // namespace hone
