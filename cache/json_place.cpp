#include "cache/json_place.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <vector>

namespace hone::cache {
namespace {

// Of the closing quote: the first that no odd number of backslashes stands before.
std::size_t string_end(std::string_view text, std::size_t quote) {
  for (std::size_t i = text.find('"', quote + 1); i != text.npos; i = text.find('"', i + 1)) {
    const std::size_t before = text.find_last_not_of('\\', i - 1);
    if ((i - before) % 2 == 1) return i;
  }
  return text.size() - 1;
}

bool opens(char c) {
  return c == '{' || c == '[';
}
bool closes(char c) {
  return c == '}' || c == ']';
}
bool blank(char c) {
  return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

}  // namespace

std::string line_and_column(std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::size_t last = before.rfind('\n');
  const std::size_t column = last == before.npos ? before.size() + 1 : before.size() - last;
  return std::to_string(line) + ":" + std::to_string(column);
}

std::size_t element_offset(std::string_view text, std::string_view member, std::size_t index) {
  unsigned depth = 0;
  std::string_view last_string;
  bool inside = false, at_start = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (inside && depth == 2 && at_start && !blank(c) && c != ']') {
      at_start = false;
      if (index-- == 0) return i;
    }
    if (c == '"') {
      const std::size_t end = string_end(text, i);
      if (depth == 1 && end > i) last_string = text.substr(i + 1, end - i - 1);
      i = end;
    } else if (opens(c)) {
      ++depth;
      if (c == '[' && depth == 2 && last_string == member) inside = at_start = true;
    } else if (closes(c)) {
      if (depth > 0) --depth;
      if (depth < 2) inside = false;
    } else if (c == ',' && depth == 2) {
      at_start = true;
    }
  }
  return 0;
}

namespace {

// Most names have no escapes, and are what they look like.
std::string name_of(std::string_view quoted) {
  if (quoted.find('\\') == quoted.npos) return std::string(quoted.substr(1, quoted.size() - 2));
  const auto name = nlohmann::json::parse(quoted, nullptr, false);
  return name.is_string() ? name.get<std::string>() : std::string(quoted);
}

}  // namespace

std::size_t repeated_member(std::string_view text) {
  struct Open {
    bool object, at_name;
    std::set<std::string> names;
  };
  std::vector<Open> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '"') {
      const std::size_t end = string_end(text, i);
      if (!open.empty() && open.back().at_name) {
        if (!open.back().names.insert(name_of(text.substr(i, end - i + 1))).second) return i;
        open.back().at_name = false;
      }
      i = end;
    } else if (opens(c)) {
      open.push_back({c == '{', c == '{', {}});
    } else if (closes(c) && !open.empty()) {
      open.pop_back();
    } else if (c == ',' && !open.empty()) {
      open.back().at_name = open.back().object;
    }
  }
  return text.npos;
}

std::size_t too_deep(std::string_view text, unsigned limit) {
  unsigned depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '"')
      i = string_end(text, i);
    else if (opens(text[i]) && ++depth > limit)
      return i;
    else if (closes(text[i]) && depth > 0)
      --depth;
  }
  return std::string_view::npos;
}

std::size_t conflict_marker(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    if (line.starts_with("<<<<<<<") || line.starts_with(">>>>>>>") || line.starts_with("=======") ||
        line.starts_with("|||||||"))
      return at;
    at += line.size() + 1;
  }
  return text.npos;
}

std::string parse_reason(const std::string& message) {
  const std::size_t position = message.find("column ");
  const std::size_t colon = message.find(": ", position == message.npos ? 0 : position);
  return colon == message.npos ? message : message.substr(colon + 2);
}

}  // namespace hone::cache
