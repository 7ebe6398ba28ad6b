#include "tool/lock/token_changes.h"

#include <algorithm>
#include <sstream>
#include <vector>

#include <fmt/format.h>

namespace hone::lock {
namespace {

using Tokens = std::vector<std::string>;

constexpr std::size_t most_places = 3;    // that are named
constexpr std::size_t most_letters = 48;  // of a piece that is quoted
constexpr std::size_t most_cells = std::size_t{4} << 20;

Tokens tokens_of(const std::string& text) {
  Tokens tokens;
  std::istringstream words(text);
  for (std::string word; words >> word;) tokens.push_back(std::move(word));
  return tokens;
}

struct Place {
  Tokens before, after;
};

// The longest common subsequence of [from…) of both, as lengths: lengths[i][j] of before[i…) and after[j…).
std::vector<std::vector<unsigned>> common_lengths(const Tokens& before, const Tokens& after) {
  std::vector<std::vector<unsigned>> lengths(before.size() + 1, std::vector<unsigned>(after.size() + 1));
  for (std::size_t i = before.size(); i-- > 0;)
    for (std::size_t j = after.size(); j-- > 0;)
      lengths[i][j] =
          before[i] == after[j] ? lengths[i + 1][j + 1] + 1 : std::max(lengths[i + 1][j], lengths[i][j + 1]);
  return lengths;
}

std::vector<Place> places_in(const Tokens& before, const Tokens& after) {
  if (before.size() * after.size() > most_cells) return {{before, after}};
  const auto lengths = common_lengths(before, after);
  std::vector<Place> places;
  bool open = false;
  for (std::size_t i = 0, j = 0; i < before.size() || j < after.size();) {
    if (i < before.size() && j < after.size() && before[i] == after[j]) {
      open = false;
      ++i, ++j;
      continue;
    }
    if (!open) places.emplace_back();
    open = true;
    const bool removed = j == after.size() || (i < before.size() && lengths[i + 1][j] >= lengths[i][j + 1]);
    removed ? places.back().before.push_back(before[i++]) : places.back().after.push_back(after[j++]);
  }
  return places;
}

std::string quoted(const Tokens& tokens) {
  std::string text;
  for (const std::string& token : tokens) {
    if (text.size() + token.size() > most_letters) {
      text += text.empty() ? token.substr(0, most_letters) + "…" : " …";
      break;
    }
    text += (text.empty() ? "" : " ") + token;
  }
  return "`" + text + "`";
}

std::string in_words(const Place& place) {
  if (place.before.empty()) return quoted(place.after) + " was added";
  if (place.after.empty()) return quoted(place.before) + " was removed";
  return quoted(place.before) + " became " + quoted(place.after);
}

}  // namespace

std::string token_changes(const std::string& before, const std::string& after) {
  Tokens then = tokens_of(before), now = tokens_of(after);
  const auto first = std::ranges::mismatch(then, now);
  now.erase(now.begin(), first.in2);
  then.erase(then.begin(), first.in1);
  while (!then.empty() && !now.empty() && then.back() == now.back()) then.pop_back(), now.pop_back();
  const std::vector<Place> places = places_in(then, now);
  std::string text;
  for (std::size_t i = 0; i < std::min(places.size(), most_places); ++i) text += (i ? "; " : "") + in_words(places[i]);
  if (places.size() > most_places) text += fmt::format("; and in {} more places", places.size() - most_places);
  return text;
}

}  // namespace hone::lock
