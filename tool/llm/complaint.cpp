#include "tool/llm/complaint.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include <nlohmann/json.hpp>

#include "tool/llm/provider_protocol.h"

namespace hone::llm {
namespace {
using nlohmann::json;

// What a call can do without. A limit on the reply can only be called otherwise or be lower: budgets rely on it.
constexpr std::array<std::string_view, 3> limits{"max_completion_tokens", "max_output_tokens", "max_tokens"};
constexpr std::array<std::string_view, 3> optional{"seed", "random_seed", "temperature"};

// A refusal of a parameter says one of these. Without them a word of the prompt may have been quoted.
constexpr std::array<std::string_view, 17> objections{
    "support", "recogni",   "unknown",  "unexpected", "permitted",   "allowed", "extra",   "invalid", "deprecated",
    "accept",  "too large", "too high", "maximum",    "may only be", "must be", "at most", "exceed"};

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char c) { return std::tolower(c); });
  return result;
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

bool names(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_name(text[at - 1])) && (end == text.size() || !is_part_of_name(text[end]))) return true;
  }
  return false;
}

bool is_limit(std::string_view name) {
  return std::ranges::find(limits, name) != limits.end();
}

std::string parameter_named(const json& sent, const json& answer, const std::string& text) {
  const json* error = member(answer, "error");
  const std::string param = error ? text_member(*error, "param") : "";
  const auto was_sent = [&](std::string_view name) { return sent.contains(std::string(name)); };
  const auto known = [&](std::string_view name) { return was_sent(name) && (param == name || names(text, name)); };
  const bool objects = !param.empty() || std::ranges::any_of(objections, [&](std::string_view word) {
    return text.find(word) != text.npos;
  });
  if (!objects) return {};
  // The server's own word counts before what stands in its sentence.
  for (const auto& list : {limits, optional})
    for (const std::string_view name : list)
      if (was_sent(name) && param == name) return std::string(name);
  if (!param.empty() && was_sent(param)) return {};
  for (const auto& list : {limits, optional})
    if (const auto found = std::ranges::find_if(list, known); found != list.end()) return std::string(*found);
  return {};
}

// The largest number below ours that the sentence names: "100000 > 8192, which is the maximum".
std::optional<std::uint64_t> allowed_number(const std::string& text, std::uint64_t ours) {
  constexpr std::uint64_t least = 256;  // fewer tokens hold no kernel
  std::uint64_t best = 0;
  for (std::size_t at = 0; at < text.size();) {
    if (!std::isdigit(static_cast<unsigned char>(text[at]))) {
      ++at;
      continue;
    }
    std::uint64_t number = 0;
    const char* end = std::from_chars(text.data() + at, text.data() + text.size(), number).ptr;
    if (number < ours) best = std::max(best, number);
    at = static_cast<std::size_t>(end - text.data());
  }
  return best >= least ? std::optional(best) : std::nullopt;
}

std::optional<Correction> correction_of_limit(const std::string& name, const json& sent, const std::string& text) {
  for (const std::string_view other : limits)
    if (other != name && !sent.contains(std::string(other)) && names(text, other))
      return Correction{name, std::string(other), {}};
  const json& value = sent[name];
  // A window that prompt and reply share says nothing of replies alone.
  if (value.is_number_integer() && text.find("context") == text.npos)
    if (const auto most = allowed_number(text, value.get<std::uint64_t>())) return Correction{name, {}, most};
  const bool unsupported = text.find("support") != text.npos || text.find("recogni") != text.npos ||
                           text.find("unknown") != text.npos || text.find("permitted") != text.npos ||
                           text.find("extra") != text.npos;
  if (unsupported && name == "max_tokens" && sent.contains("messages") && !sent.contains("system"))
    return Correction{name, "max_completion_tokens", {}};
  return std::nullopt;
}

}  // namespace

std::optional<Correction> correction_for(const json& sent, const json& answer, std::string_view complaint) {
  const std::string text = lower(complaint);
  const std::string name = parameter_named(sent, answer, text);
  if (name.empty()) return std::nullopt;
  return is_limit(name) ? correction_of_limit(name, sent, text) : std::optional(Correction{name, {}, {}});
}

}  // namespace hone::llm
