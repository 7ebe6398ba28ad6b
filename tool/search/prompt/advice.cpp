#include <algorithm>
#include <cassert>

#include "tool/search/prompt/reply.h"
#include "tool/search/text/fenced_text.h"
#include "tool/search/text/figures.h"
#include "tool/search/text/json_text.h"

namespace hone::search {
namespace {

constexpr std::size_t kMostItems = 32;  // no model is asked for as many; a reply is no program's
constexpr std::size_t kLongestValue = 1000;

// Members by the letters alone, with one spelling: "Optimization Method" is "optimisation_method".
std::string canonical(std::string_view name) {
  std::string letters;
  for (const char c : lower_case(name))
    if (c >= 'a' && c <= 'z') letters += c;
  for (std::size_t at = letters.find("optimiz"); at != std::string::npos; at = letters.find("optimiz", at))
    letters.replace(at, 7, "optimis");
  return letters;
}

// The words that models use for a member.
std::vector<std::string> names_of(const std::string& member) {
  if (member == "technique") return {"technique", "name", "method", "action"};
  if (member == "predicted") return {"predicted", "predicted_gain", "expected_gain", "gain", "speedup"};
  if (member == "idea") return {"idea", "description", "plan", "proposal", "details"};
  if (member == "name") return {"name", "title"};
  if (member == "lesson") return {"lesson", "post_mortem", "explanation"};
  if (member == "right") return {"right", "correct", "is_correct", "verdict"};
  if (member == "minimal_fix_hint") return {"minimal_fix_hint", "fix_hint", "fix"};
  if (member == "modification_plan") return {"modification_plan", "plan"};
  if (member == "optimisation_method") return {"optimisation_method", "method"};
  return {member};
}

std::string value_text(const nlohmann::json& value) {
  std::string text;
  if (value.is_string()) {
    text = value.get<std::string>();
  } else if (value.is_array()) {
    for (const auto& part : value) text += (text.empty() ? "" : "; ") + value_text(part);
  } else if (!value.is_null()) {
    text = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
  if (text.size() > kLongestValue)
    text.resize(text.find_last_of(' ', kLongestValue) == std::string::npos ? 0 : text.find_last_of(' ', kLongestValue));
  return std::string(trimmed(text));
}

const nlohmann::json* find_member(const nlohmann::json& object, const std::string& member) {
  for (const std::string& name : names_of(member))
    for (const auto& [key, value] : object.items())
      if (canonical(key) == canonical(name)) return &value;
  return nullptr;
}

bool may_lack(std::string_view member) {
  return member == "predicted" || member == "name" || member == "reason";
}

// nullopt: a member is missing; `missing` names it.
std::optional<AdviceItem> item_of(const nlohmann::json& json, AdviceKind kind, std::string& missing) {
  AdviceItem item;
  if (json.is_string() && advice_members(kind).size() > 1) {  // ["tile the loop", …]
    const std::string text = value_text(json);
    if (text.empty()) {
      missing = advice_members(kind).front();
      return {};
    }
    for (const std::string& member : advice_members(kind))
      item.members.emplace_back(member, may_lack(member) ? "" : text);
    return item;
  }
  for (const std::string& member : advice_members(kind)) {
    const nlohmann::json* value = json.is_object() ? find_member(json, member) : nullptr;
    const std::string text = value ? value_text(*value) : "";
    if (text.empty() && !may_lack(member)) {
      missing = member;
      return {};
    }
    item.members.emplace_back(member, text);
  }
  return item;
}

// The list that was asked for may be wrapped: {"proposals": […]}; an object may stand in a list.
const nlohmann::json& unwrapped(const nlohmann::json& json, AdviceKind kind) {
  if (!json.is_object() || json.size() != 1) return json;
  const nlohmann::json& inner = json.begin().value();
  const bool known = find_member(json, advice_members(kind).front()) != nullptr;
  return !known && (inner.is_array() || inner.is_object()) ? inner : json;
}

// "bottleneck: …" lines where no JSON is.
std::optional<nlohmann::json> from_lines(std::string_view text, AdviceKind kind) {
  nlohmann::json object = nlohmann::json::object();
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = end + 1;
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string_view value = trimmed(line.substr(colon + 1));
    while (value.starts_with("*")) value = trimmed(value.substr(1));
    for (const std::string& member : advice_members(kind))
      if (canonical(line.substr(0, colon)) == canonical(member)) object[member] = std::string(value);
  }
  if (object.empty()) return {};
  return object;
}

bool several(AdviceKind kind) {
  return kind == AdviceKind::proposal || kind == AdviceKind::techniques;
}

std::string wanted_form(AdviceKind kind) {
  std::string form = several(kind) ? "a JSON list of objects with" : "one JSON object with";
  const char* before = " ";
  for (const std::string& member : advice_members(kind)) {
    form += before + ("\"" + member + "\"");
    before = ", ";
  }
  return form;
}

}  // namespace

AdviceKind advice_kind(std::string_view operator_name, bool parent_is_right) {
  if (operator_name == "judge") return parent_is_right ? AdviceKind::optimize : AdviceKind::repair;
  if (operator_name == "plan") return AdviceKind::plan;
  if (operator_name == "propose") return AdviceKind::proposal;
  if (operator_name == "techniques") return AdviceKind::techniques;
  if (operator_name == "post-mortem") return AdviceKind::post_mortem;
  assert(operator_name == "opinion");
  return AdviceKind::opinion;
}

const std::vector<std::string>& advice_members(AdviceKind kind) {
  static const std::vector<std::string> members[] = {
      {"critical_issue", "why_it_matters", "minimal_fix_hint"},
      {"bottleneck", "optimisation_method", "modification_plan"},
      {"action", "region", "reason"},
      {"name", "idea", "predicted"},
      {"technique", "predicted"},
      {"lesson"},
      {"right", "reason"},
  };
  return members[static_cast<std::size_t>(kind)];
}

std::string AdviceItem::get(std::string_view member) const {
  for (const auto& [name, value] : members)
    if (name == member) return value;
  return "";
}

std::string Advice::text() const {
  std::string text;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (items.size() > 1) text += std::to_string(i + 1) + ".\n";
    for (const auto& [name, value] : items[i].members) {
      if (value.empty()) continue;
      std::string words = name;
      for (char& c : words) c = c == '_' ? ' ' : c;
      text += words + ": " + value + "\n";
    }
  }
  return text;
}

std::string Advice::told() const {
  return kind == AdviceKind::post_mortem ? items.front().get("lesson") : json();
}

std::string Advice::json() const {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const AdviceItem& item : items) {
    nlohmann::ordered_json object;
    for (const auto& [name, value] : item.members) {
      const auto number = name == "predicted" ? parse_ratio(value) : std::nullopt;
      if (number)
        object[name] = *number;
      else if (!value.empty() && name != "predicted")
        object[name] = value;
    }
    list.push_back(std::move(object));
  }
  const nlohmann::ordered_json& all = several(kind) ? list : list.front();
  return all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

tl::expected<Advice, Unreadable> parse_advice(std::string_view text, AdviceKind kind) {
  text = text.substr(0, 1 << 20);
  auto json = whole_json(text);  // what looks like the end of its thinking is in one of its strings
  const CleanText clean = clean_reply(text);
  if (!json && trimmed(clean.text).empty())
    return tl::unexpected(Unreadable{
        clean.in_thinking ? "the reply ended before the thinking did; think less and answer" : "the reply is empty"});
  if (!json) json = find_json(clean.text);
  if (!json || (json->is_array() && !json->front().is_object() && !several(kind))) json = from_lines(clean.text, kind);
  if (!json && kind == AdviceKind::post_mortem) json = nlohmann::json{{"lesson", std::string(trimmed(clean.text))}};
  if (!json) return tl::unexpected(Unreadable{"no JSON could be read; answer with " + wanted_form(kind)});

  Advice advice{kind, {}};
  std::string missing;
  const nlohmann::json& inner = unwrapped(*json, kind);
  const auto take = [&](const nlohmann::json& from) {
    if (auto item = item_of(from, kind, missing); item && advice.items.size() < kMostItems)
      advice.items.push_back(std::move(*item));
  };
  if (inner.is_array())
    for (const auto& element : inner) take(element);
  else
    take(inner);
  if (advice.items.empty())
    return tl::unexpected(Unreadable{"\"" + missing + "\" is missing; answer with " + wanted_form(kind)});
  if (!several(kind)) advice.items.resize(1);
  return advice;
}

std::optional<Opinion> read_opinion(std::string_view text) {
  const auto advice = parse_advice(text, AdviceKind::opinion);
  if (!advice) return std::nullopt;
  const std::string said = lower_case(trimmed(advice->items.front().get("right")));
  const auto is = [&](std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, said) != words.end();
  };
  Opinion opinion{true, advice->items.front().get("reason")};
  if (is({"true", "yes", "right", "correct", "1"})) return opinion;
  opinion.right = false;
  return is({"false", "no", "wrong", "incorrect", "0"}) ? std::optional(std::move(opinion)) : std::nullopt;
}

}  // namespace hone::search
