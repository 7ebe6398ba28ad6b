#include "tool/search/json_members.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace hone::search {
namespace {

using nlohmann::json;

constexpr std::string_view blank = " \t\r\n";

std::size_t after_blank(std::string_view text, std::size_t at) {
  return std::min(text.find_first_not_of(blank, at), text.size());
}

// The place behind the string that begins at `at`.
std::size_t after_string(std::string_view text, std::size_t at) {
  for (++at; at < text.size() && text[at] != '"'; ++at)
    if (text[at] == '\\') ++at;
  return std::min(at + 1, text.size());
}

// The place behind the value that begins at `at`, of text that was parsed.
std::size_t after_value(std::string_view text, std::size_t at) {
  int depth = 0;
  while (at < text.size()) {
    const char c = text[at];
    if (c == '"') {
      at = after_string(text, at);
    } else {
      if (c == '{' || c == '[') ++depth;
      if (c == '}' || c == ']') {
        if (depth == 0) return at;
        --depth;
      }
      if (c == ',' && depth == 0) return at;
      ++at;
    }
    if (depth == 0 && at < text.size() && (c == '"' || c == '}' || c == ']')) return at;
  }
  return at;
}

}  // namespace

std::string line_of(std::string_view text, std::size_t byte) {
  const auto head = text.substr(0, std::min(byte, text.size()));
  return fmt::format("line {}", 1 + std::count(head.begin(), head.end(), '\n'));
}

template <class Visit>
void JsonMembers::walk(const Visit& visit) const {
  if (at_ >= text_.size() || text_[at_] != '{') return;
  std::size_t at = after_blank(text_, at_ + 1);
  while (at < text_.size() && text_[at] == '"') {
    const std::size_t end = after_string(text_, at);
    const std::size_t value = after_blank(text_, after_blank(text_, end) + 1);  // behind the colon
    const json key = json::parse(text_.substr(at, end - at), nullptr, false);   // it may have escapes
    if (!key.is_string() || !visit(key.get<std::string>(), at, value)) return;
    at = after_blank(text_, after_value(text_, value));
    if (at < text_.size() && text_[at] == ',') at = after_blank(text_, at + 1);
  }
}

// The parser takes the last of two members of one name and a reader the first: neither is what was meant.
JsonMembers::JsonMembers(const json& object, std::string_view text, std::size_t at)
    : object_(object), text_(text), at_(after_blank(text, at)) {
  std::set<std::string> keys;
  walk([&](const std::string& key, std::size_t where, std::size_t) {
    if (!keys.insert(key).second)
      adopt({fmt::format("\"{}\" is given twice", key), line_of(text_, where), "leave one of them out"});
    return true;
  });
}

bool JsonMembers::read(const char* key, std::string& value) {
  const json* member = find(key);
  if (!member) return false;
  if (!member->is_string() || member->get_ref<const std::string&>().empty()) {
    complain(key, "a non-empty string");
    return false;
  }
  value = member->get<std::string>();
  return true;
}

bool JsonMembers::read(const char* key, unsigned& value, unsigned least, unsigned most) {
  const json* member = find(key);
  if (!member) return false;
  if (!member->is_number_unsigned() || member->get<std::uint64_t>() < least || member->get<std::uint64_t>() > most) {
    complain(key, fmt::format("a whole number from {} to {}", least, most));
    return false;
  }
  value = member->get<unsigned>();
  return true;
}

bool JsonMembers::read(const char* key, double& value) {
  const json* member = find(key);
  if (!member) return false;
  if (!member->is_number() || !(member->get<double>() > 0) || !std::isfinite(member->get<double>())) {
    complain(key, "a number above zero");
    return false;
  }
  value = member->get<double>();
  return true;
}

bool JsonMembers::read(const char* key, bool& value) {
  const json* member = find(key);
  if (!member) return false;
  if (!member->is_boolean()) {
    complain(key, "true or false");
    return false;
  }
  value = member->get<bool>();
  return true;
}

const json* JsonMembers::find(const char* key) {
  known_.emplace_back(key);
  const auto member = object_.find(key);
  return member == object_.end() ? nullptr : &*member;
}

void JsonMembers::complain(const std::string& key, const std::string& expected) {
  adopt({fmt::format("\"{}\" must be {}", key, expected), line_of(text_, value_at(key)), ""});
}

void JsonMembers::adopt(Error error) {
  if (!error_) error_ = std::move(error);
}

std::optional<Error> JsonMembers::finish() {
  for (const auto& [key, value] : object_.items())
    if (std::find(known_.begin(), known_.end(), key) == known_.end())
      complain(key, fmt::format("left out; the members are {}", fmt::join(known_, ", ")));
  return error_;
}

// A member that is not there is missed where the object begins.
std::size_t JsonMembers::value_at(const std::string& key) const {
  std::size_t found = at_;
  walk([&](const std::string& name, std::size_t, std::size_t value) {
    if (name == key) found = value;
    return name != key;
  });
  return found;
}

std::vector<std::size_t> JsonMembers::elements_at(const std::string& key) const {
  std::vector<std::size_t> places;
  std::size_t at = value_at(key);
  if (at >= text_.size() || text_[at] != '[') return places;
  at = after_blank(text_, at + 1);
  while (at < text_.size() && text_[at] != ']') {
    places.push_back(at);
    at = after_blank(text_, after_value(text_, at));
    if (at < text_.size() && text_[at] == ',') at = after_blank(text_, at + 1);
  }
  return places;
}

}  // namespace hone::search
