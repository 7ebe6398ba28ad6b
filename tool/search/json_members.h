// The members of one object in a JSON file that a person wrote: reads them one by one and says of the first that is
// wrong in which line it stands and what was expected there.
//
// nlohmann's parser keeps no positions, so the text is walked again for a message. Borrows both. Not thread-safe.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tool/base/result.h"

namespace hone::search {

std::string line_of(std::string_view text, std::size_t byte);  // "line 3"

class JsonMembers {
 public:
  // `at`: the byte where the object begins, or any before it on which nothing else stands.
  JsonMembers(const nlohmann::json& object, std::string_view text, std::size_t at = 0);

  // Each marks `key` as known; true: it was there and right, and `value` is set.
  bool read(const char* key, std::string& value);
  bool read(const char* key, unsigned& value, unsigned least, unsigned most = 1'000'000);
  bool read(const char* key, double& value);  // above zero
  bool read(const char* key, bool& value);

  template <class E>
  bool read(const char* key, E& value, std::span<const std::pair<std::string_view, E>> names) {
    const nlohmann::json* member = find(key);
    if (!member) return false;
    std::vector<std::string_view> known;
    for (const auto& [name, named] : names) {
      if (member->is_string() && member->get_ref<const std::string&>() == name) {
        value = named;
        return true;
      }
      known.push_back(name);
    }
    complain(key, fmt::format("one of {}", fmt::join(known, ", ")));
    return false;
  }

  const nlohmann::json* find(const char* key);
  bool has(const char* key) const { return object_.contains(key); }
  void complain(const std::string& key, const std::string& expected);
  void adopt(Error error);  // of something inside

  // The place where the member's value begins, or where each element of a list does.
  std::size_t value_at(const std::string& key) const;
  std::vector<std::size_t> elements_at(const std::string& key) const;

  // Complains about members that nobody asked for.
  std::optional<Error> finish();

 private:
  // Calls visit(key, where the key begins, where its value begins) for each member as the text has it, until it says
  // false.
  template <class Visit>
  void walk(const Visit& visit) const;

  const nlohmann::json& object_;
  std::string_view text_;
  std::size_t at_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

}  // namespace hone::search
