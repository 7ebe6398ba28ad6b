#include "tool/bundle/strict_json.h"

#include <cmath>
#include <set>
#include <string>
#include <vector>

#include "tool/base/printable.h"

namespace hone::bundle {
namespace {

using Json = nlohmann::json;

constexpr int deepest = 32;
constexpr std::size_t longest_line = 2000;  // bytes: what a person reads; a worker may be another's program

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0) == 0x80) --most;
  text.resize(most);
  return text;
}

// Follows the parser and throws at the first thing that is not allowed.
class Watch {
 public:
  bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
    using Event = Json::parse_event_t;
    if (depth > deepest) throw std::range_error("it is nested too deeply");
    if (event == Event::object_start) {
      keys_.emplace_back();
    } else if (event == Event::object_end) {
      keys_.pop_back();
    } else if (event == Event::key && !keys_.back().insert(parsed.get<std::string>()).second) {
      throw std::range_error("it has a key twice");
    }
    return true;
  }

 private:
  std::vector<std::set<std::string>> keys_;  // of the objects that are open
};

}  // namespace

Json parse_strictly(std::string_view text) {
  Watch watch;
  const auto callback = [&watch](int depth, Json::parse_event_t event, Json& parsed) {
    return watch(depth, event, parsed);
  };
  Json json = Json::parse(text, callback, false);
  if (json.is_discarded()) throw std::range_error("it is not JSON");
  return json;
}

double finite(const Json& json) {
  const auto value = json.get<double>();
  require(std::isfinite(value) && value >= 0, "a figure is negative or not finite");
  return value;
}

std::string text(const Json& json, std::size_t most) {
  return cut(printable(json.get<std::string>().substr(0, most)), most);
}

std::string line(const Json& json) {
  return cut(printable_line(json.get<std::string>().substr(0, longest_line)), longest_line);
}

const Json& list(const Json& json) {
  if (!json.is_array()) throw std::range_error("a list is none");
  return json;
}

}  // namespace hone::bundle
