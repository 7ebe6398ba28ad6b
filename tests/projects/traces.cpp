#include "tests/projects/traces.h"

#include <algorithm>
#include <regex>

namespace hone::tests {
namespace {

// Not within a longer number, digest or name.
std::string alone(const std::string& pattern) {
  return "(?:^|[^0-9A-Za-z.]|[^0-9]\\.)(" + pattern + ")(?![0-9a-f])";
}

std::string spelled(std::time_t day, const char* format) {
  char text[64];
  std::tm parts{};
  return {text, std::strftime(text, sizeof text, format, ::gmtime_r(&day, &parts))};
}

std::string escaped(const std::string& name) {
  return std::regex_replace(name, std::regex(R"([.^$|()\[\]{}*+?\\])"), R"(\$&)");
}

}  // namespace

Traces::Traces(std::vector<std::string> names, std::time_t today) : names_(std::move(names)) {
  constexpr std::time_t day = 24 * 60 * 60;
  for (const std::time_t at : {today - day, today, today + day}) {
    for (const char* format : {"%Y-%m-%d", "%Y/%m/%d", "%Y%m%d", "%d\\.%m\\.%Y", "%d/%m/%Y", "%m/%d/%Y", "%b %e,? %Y",
                               "%e %b %Y", "%B %e,? %Y", "%e %B %Y", "%a %b %e"})
      patterns_.push_back(alone(spelled(at, format)));
    const std::string seconds = std::to_string(at);
    patterns_.push_back(alone(seconds.substr(0, 5) + "[0-9]{5}([0-9]{3}|[0-9]{6}|[0-9]{9})?(\\.[0-9]+)?"));
  }
  patterns_.push_back(alone(R"([0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3}\.[0-9]{1,3})"));
  patterns_.push_back(
      R"((?:^|[^0-9A-Za-z_./*])(/(?:home|root|tmp|var|usr|opt|etc|work|mnt|srv|proc|dev|run)/[^\s"']*))");
  for (const std::string& name : names_) patterns_.push_back("(" + escaped(name) + ")");
}

std::vector<std::string> Traces::in(const std::string& text) const {
  std::vector<std::string> found;
  for (const std::string& pattern : patterns_) {
    const std::regex expression(pattern, std::regex::ECMAScript | std::regex::icase | std::regex::optimize);
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match) {
      const auto at = static_cast<std::size_t>(match->position(1));
      found.push_back((*match)[1].str() + " in: " + text.substr(at - std::min<std::size_t>(at, 60), 140));
    }
  }
  return found;
}

}  // namespace hone::tests
