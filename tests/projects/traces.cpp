#include "tests/projects/traces.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace hone::tests {
namespace {

std::string lower(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return text;
}

bool is_digit(char letter) {
  return letter >= '0' && letter <= '9';
}

// The character at a place; outside of the text a blank.
char at(const std::string& text, std::size_t place) {
  return place < text.size() ? text[place] : ' ';
}

// Not within a longer number, digest or name; a decimal's point belongs to its number. What follows may be a letter, as
// behind a day and before an hour.
bool stands_alone(const std::string& text, std::size_t begin, std::size_t end) {
  const char before = at(text, begin - 1);
  const bool joined =
      std::isalnum(static_cast<unsigned char>(before)) != 0 || (before == '.' && is_digit(at(text, begin - 2)));
  return !joined && std::isxdigit(static_cast<unsigned char>(at(text, end))) == 0;
}

std::size_t end_of_digits(const std::string& text, std::size_t from) {
  while (is_digit(at(text, from))) ++from;
  return from;
}

bool is_address(const std::string& text, std::size_t begin) {
  std::size_t end = end_of_digits(text, begin);
  for (int part = 1; part < 4; ++part) {
    if (at(text, end) != '.' || !is_digit(at(text, end + 1))) return false;
    end = end_of_digits(text, end + 1);
  }
  return end - begin <= 15 && stands_alone(text, begin, end) && at(text, end) != '.';
}

// Seconds, or finer, since 1970: as many digits as such a time has.
bool is_time(const std::string& text, std::size_t begin) {
  const std::size_t end = end_of_digits(text, begin), digits = end - begin;
  return digits >= 10 && (digits - 10) % 3 == 0 && stands_alone(text, begin, end);
}

// The path of a file of the machine's, not the end of a relative one.
bool is_path(const std::string& text, std::size_t begin) {
  const char before = at(text, begin - 1);
  return std::isalnum(static_cast<unsigned char>(before)) == 0 && std::string("_./*").find(before) == std::string::npos;
}

std::string spelled(std::time_t day, const char* format) {
  char text[64];
  std::tm parts{};
  return lower({text, std::strftime(text, sizeof text, format, ::gmtime_r(&day, &parts))});
}

}  // namespace

Traces::Traces(std::vector<std::string> names, std::time_t today) {
  constexpr std::time_t day = 24 * 60 * 60;
  for (std::string& name : names) names_.push_back(lower(std::move(name)));
  for (const std::time_t when : {today - day, today, today + day}) {
    for (const char* format :
         {"%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%d.%m.%Y", "%d/%m/%Y", "%m/%d/%Y", "%b %d, %Y", "%b %e %Y", "%b %d %Y",
          "%e %b %Y", "%d %b %Y", "%B %e, %Y", "%B %d, %Y", "%e %B %Y", "%d %B %Y", "%a %b %e", "%a %b %d"})
      dates_.push_back(spelled(when, format));
    times_.push_back(std::to_string(when).substr(0, 5));
  }
}

std::vector<std::string> Traces::in(const std::string& given) const {
  const std::string text = lower(given);
  std::set<std::size_t> places;
  const auto look = [&](const std::string& word, auto is_meant) {
    for (std::size_t place = text.find(word); place != text.npos; place = text.find(word, place + 1))
      if (is_meant(place, place + word.size())) places.insert(place);
  };
  for (const std::string& name : names_) look(name, [](auto, auto) { return true; });
  for (const std::string& date : dates_)
    look(date, [&](auto begin, auto end) { return stands_alone(text, begin, end); });
  for (const std::string& time : times_) look(time, [&](auto begin, auto) { return is_time(text, begin); });
  for (const char* root :
       {"home", "root", "tmp", "var", "usr", "opt", "etc", "work", "mnt", "srv", "proc", "dev", "run"})
    look(std::string("/") + root + '/', [&](auto begin, auto) { return is_path(text, begin); });
  for (std::size_t i = 0; i < text.size(); ++i)
    if (is_digit(text[i]) && !is_digit(at(text, i - 1)) && is_address(text, i)) places.insert(i);

  std::vector<std::string> found;
  for (const std::size_t place : places) found.push_back(given.substr(place - std::min<std::size_t>(place, 60), 140));
  return found;
}

}  // namespace hone::tests
