#include "tool/tune/trial/setbacks.h"

#include <algorithm>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/base/printable.h"
#include "tool/report/text.h"

namespace hone::tune {
namespace {

const char* words_for(Setbacks::Kind kind, bool one) {
  using enum Setbacks::Kind;
  switch (kind) {
    case wrong:
      return "wrong";
    case not_compiled:
      return "did not compile";
    case not_allowed:
      return "not allowed";
    case without_code:
      return one ? "reply without code" : "replies without code";
    case duplicate:
      return "the same as an earlier one";
    case cut:
      return one ? "reply cut at max_tokens" : "replies cut at max_tokens";
    case declined:
      return "declined by the model";
    case failed_call:
      return one ? "call that failed" : "calls that failed";
  }
  return "";
}

// Without what differs from one to the next: numbers, and names in quotes.
std::string pattern_of(std::string_view reason) {
  std::string pattern;
  bool quoted = false;
  for (const char c : reason) {
    if (c == '\'') quoted = !quoted;
    if ((quoted && c != '\'') || (c >= '0' && c <= '9') || c == '.' || c == '-' || c == '+') continue;
    pattern += c;
  }
  return pattern;
}

// A line of a terminal or two, in whole characters.
std::string shortened(const std::string& text) {
  constexpr std::size_t longest = 160;
  if (text.size() <= longest) return text;
  std::size_t end = longest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end) + "…";
}

Setbacks::Kind kind_of(const Verdict& verdict, bool has_code) {
  if (!has_code) return Setbacks::Kind::without_code;
  if (verdict.stage == Stage::gate) return Setbacks::Kind::not_allowed;
  return verdict.stage == Stage::compile ? Setbacks::Kind::not_compiled : Setbacks::Kind::wrong;
}

}  // namespace

void Setbacks::Group::add(const std::string& reason, DiagnosticCode code) {
  ++count;
  if (reason.empty()) return;
  Reason& known = reasons[pattern_of(reason)];
  if (known.count++ > 0) return;
  known.example = reason;
  known.code = code;
}

void Setbacks::add(Kind kind, const std::string& reason, DiagnosticCode code) {
  groups_[kind].add(reason, code);
}

void Setbacks::add(const Verdict& verdict, bool has_code) {
  if (!verdict.right)
    add(kind_of(verdict, has_code), verdict.reason, verdict.code);
  else if (!verdict.faster)
    not_accepted_.add(report::why_not_accepted(verdict), verdict.code);
}

unsigned Setbacks::count(Kind kind) const {
  const auto found = groups_.find(kind);
  return found == groups_.end() ? 0 : found->second.count;
}

std::string Setbacks::described(Kind kind, const Group& group) {
  const std::string text = fmt::format("{} {}", group.count, words_for(kind, group.count == 1));
  if (group.reasons.empty()) return text;
  const auto& commonest =
      std::ranges::max_element(group.reasons, {}, [](const auto& entry) { return entry.second.count; })->second;
  const char* often = group.count == 1 ? "" : "most often: ";
  return fmt::format("{} ({}{})", text, often, shortened(printable_line(commonest.example)));
}

std::vector<report::Failure> Setbacks::of_candidates() const {
  std::vector<report::Failure> failures;
  const auto take = [&](const char* what, const Group& group) {
    unsigned without = group.count;
    for (const auto& [pattern, reason] : group.reasons) {
      failures.push_back({what, shortened(printable_line(reason.example)), pattern, reason.count, reason.code});
      without -= reason.count;
    }
    if (without > 0) failures.push_back({what, "", "", without, {}});
  };
  for (const Kind kind : {Kind::wrong, Kind::not_compiled, Kind::not_allowed, Kind::without_code})
    if (const auto group = groups_.find(kind); group != groups_.end())
      take(kind == Kind::without_code ? "no code" : words_for(kind, true), group->second);
  take("not accepted", not_accepted_);
  std::ranges::stable_sort(failures, std::greater<>(), &report::Failure::count);
  return failures;
}

std::string Setbacks::text() const {
  std::vector<std::pair<Kind, Group>> groups(groups_.begin(), groups_.end());
  std::ranges::stable_sort(groups, std::greater<>(), [](const auto& entry) { return entry.second.count; });
  std::vector<std::string> parts;
  for (const auto& [kind, group] : groups) parts.push_back(described(kind, group));
  return fmt::format("{}", fmt::join(parts, ", "));
}

}  // namespace hone::tune
