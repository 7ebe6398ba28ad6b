#include "tool/search/text/json_text.h"

#include <string>

namespace hone::search {
namespace {

constexpr std::size_t kAttempts = 32;  // opening brackets that are tried
constexpr std::size_t kDepth = 64;

// The text from the opening bracket at `at` to its partner, with what JSON forbids put right; "" where it does not
// close.
std::string repaired(std::string_view text, std::size_t at) {
  std::string json;
  std::size_t depth = 0;
  bool string = false;
  for (std::size_t i = at; i < text.size(); ++i) {
    const char c = text[i];
    if (string) {
      if (c == '\\' && i + 1 < text.size()) {
        // \' and the like are not JSON.
        if (std::string_view("\"\\/bfnrtu").find(text[i + 1]) != std::string_view::npos) json += c;
        json += text[++i] == '\n' ? ' ' : text[i];
        continue;
      }
      if (c == '\n')
        json += "\\n";
      else if (c == '\t')
        json += "\\t";
      else if (static_cast<unsigned char>(c) >= 0x20)
        json += c;
      if (c == '"') string = false;
      continue;
    }
    if (c == '/' && i + 1 < text.size() && text[i + 1] == '/') {
      i = text.find('\n', i);
      if (i == std::string_view::npos) return "";
      continue;
    }
    if (c == '"') string = true;
    if (c == '{' || c == '[') {
      if (++depth > kDepth) return "";
    }
    if (c == '}' || c == ']') {
      const std::size_t last = json.find_last_not_of(" \t\n");
      if (last != std::string::npos && json[last] == ',') json.erase(last);
    }
    json += c;
    if ((c == '}' || c == ']') && --depth == 0) return json;
  }
  return "";
}

}  // namespace

std::optional<nlohmann::json> find_json(std::string_view text) {
  std::size_t at = text.find_first_of("{[");
  for (std::size_t tried = 0; at != std::string_view::npos && tried < kAttempts; ++tried) {
    const std::string json = repaired(text, at);
    if (!json.empty()) {
      auto value = nlohmann::json::parse(json, nullptr, false, true);
      if (!value.is_discarded() && !value.empty()) return value;
    }
    at = text.find_first_of("{[", at + 1);
  }
  return {};
}

std::optional<nlohmann::json> whole_json(std::string_view text) {
  auto value = nlohmann::json::parse(text, nullptr, false);
  if (!value.is_structured() || value.empty()) return {};
  return value;
}

}  // namespace hone::search
