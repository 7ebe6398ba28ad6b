// JSON from a process that is not trusted, or that may be of another version.
//
// One value, nothing behind it, no key twice in an object (readers disagree about which one counts), no deeper than
// anything of ours, and whole numbers that are whole and fit: nlohmann converts what it gets, so that -1 would become
// four billion. Throws std::runtime_error or a nlohmann exception: for use inside the readers' own try.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace hone::bundle {

nlohmann::json parse_strictly(std::string_view text);

// Throws std::range_error with `what`.
inline void require(bool condition, const char* what) {
  if (!condition) throw std::range_error(what);
}

template <class Integer>
Integer whole(const nlohmann::json& json) {
  static_assert(std::is_integral_v<Integer> && !std::is_same_v<Integer, bool>);
  if (!json.is_number_integer()) throw std::range_error("a count is no whole number");
  if (json.is_number_unsigned()) {
    const auto value = json.get<std::uint64_t>();
    if (value > static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()))
      throw std::range_error("a count is out of range");
    return static_cast<Integer>(value);
  }
  const auto value = json.get<std::int64_t>();
  if (value < 0 &&
      (std::is_unsigned_v<Integer> || value < static_cast<std::int64_t>(std::numeric_limits<Integer>::min())))
    throw std::range_error("a count is out of range");
  if (value > 0 && static_cast<std::uint64_t>(value) > static_cast<std::uint64_t>(std::numeric_limits<Integer>::max()))
    throw std::range_error("a count is out of range");
  return static_cast<Integer>(value);
}

// A figure that is neither negative nor infinite.
double finite(const nlohmann::json& json);

// A text for a person, without what no terminal should see; cut to at most so many bytes, and no character in two.
std::string text(const nlohmann::json& json, std::size_t most);
std::string line(const nlohmann::json& json);  // on one line

// An array; an object or a number would be iterated over just as well.
const nlohmann::json& list(const nlohmann::json& json);

template <class Integer>
std::vector<Integer> whole_list(const nlohmann::json& json) {
  std::vector<Integer> values;
  for (const nlohmann::json& item : list(json)) values.push_back(whole<Integer>(item));
  return values;
}

}  // namespace hone::bundle
