#include "tool/search/strategy.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "tool/search/operators.h"
#include "tool/search/population.h"
#include "tool/search/presets.h"

namespace hone::search {
namespace {

using nlohmann::json;

std::string line_of(std::string_view text, std::size_t byte) {
  const auto head = text.substr(0, std::min(byte, text.size()));
  return fmt::format("line {}", 1 + std::count(head.begin(), head.end(), '\n'));
}

// Reads the members of one object, remembering what was wrong first; `finish` complains about members nobody asked for.
class Members {
 public:
  Members(const json& object, std::string_view text, std::size_t from = 0)
      : object_(object), text_(text), from_(from) {}

  void read(const char* key, std::string& value) {
    if (const json* member = find(key)) {
      if (member->is_string() && !member->get_ref<const std::string&>().empty()) {
        value = member->get<std::string>();
      } else {
        complain(key, "a non-empty string");
      }
    }
  }

  void read(const char* key, unsigned& value, unsigned least) {
    if (const json* member = find(key)) {
      const bool good = member->is_number_unsigned() && member->get<std::uint64_t>() >= least &&
                        member->get<std::uint64_t>() <= 1'000'000;
      if (good) {
        value = member->get<unsigned>();
      } else {
        complain(key, fmt::format("a whole number from {} to 1000000", least));
      }
    }
  }

  void read(const char* key, double& value) {
    if (const json* member = find(key)) {
      if (member->is_number() && member->get<double>() > 0) {
        value = member->get<double>();
      } else {
        complain(key, "a number above zero");
      }
    }
  }

  const json* find(const char* key) {
    known_.push_back(key);
    const auto member = object_.find(key);
    return member == object_.end() ? nullptr : &*member;
  }

  void complain(const std::string& key, const std::string& expected) {
    if (!error_) error_ = Error{fmt::format("\"{}\" must be {}", key, expected), place(key), ""};
  }

  std::optional<Error> finish() {
    for (const auto& [key, value] : object_.items())
      if (std::find(known_.begin(), known_.end(), key) == known_.end())
        complain(key, fmt::format("left out; the members are {}", fmt::join(known_, ", ")));
    return error_;
  }

 private:
  std::string place(const std::string& key) const {
    return line_of(text_, text_.find(fmt::format("\"{}\"", key), from_));
  }

  const json& object_;
  std::string_view text_;
  std::size_t from_;
  std::vector<std::string> known_;
  std::optional<Error> error_;
};

std::vector<std::string> operator_names() {
  std::vector<std::string> names;
  for (const Operator& known : operators()) names.emplace_back(known.name);
  return names;
}

Result<OperatorChoice> read_choice(const json& entry, std::string_view text, std::size_t from) {
  if (!entry.is_object()) return failure("an operator must be an object with a name and a weight", line_of(text, from));
  OperatorChoice choice;
  Members members(entry, text, from);
  members.read("name", choice.name);
  members.read("weight", choice.weight);
  if (!find_operator(choice.name))
    members.complain("name", fmt::format("one of {}", fmt::join(operator_names(), ", ")));
  if (auto error = members.finish()) return tl::unexpected(*error);
  return choice;
}

Result<std::vector<OperatorChoice>> read_operators(const json& list, std::string_view text) {
  std::size_t at = text.find("\"operators\"");
  if (!list.is_array() || list.empty())
    return failure("\"operators\" must be a list that is not empty", line_of(text, at));
  std::vector<OperatorChoice> choices;
  for (const json& entry : list) {
    at = std::min(text.find('{', at + 1), text.size());
    HONE_TRY(auto choice, read_choice(entry, text, at));
    choices.push_back(std::move(choice));
  }
  return choices;
}

}  // namespace

Result<Strategy> parse_strategy(std::string_view text) {
  json document;
  try {
    document = json::parse(text);
  } catch (const json::parse_error& error) {
    return failure("the strategy is not JSON", line_of(text, error.byte), error.what());
  }
  if (!document.is_object()) return failure("a strategy must be a JSON object", "line 1");

  Strategy strategy;
  Members members(document, text);
  members.read("name", strategy.name);
  members.read("population", strategy.population);
  members.read("size", strategy.size, 1);
  members.read("initial", strategy.initial, 0);
  members.read("patience", strategy.patience, 1);
  const json* list = members.find("operators");
  if (strategy.name.empty()) members.complain("name", "given");
  if (!list) members.complain("operators", "given");
  const auto names = population_names();
  if (std::find(names.begin(), names.end(), strategy.population) == names.end())
    members.complain("population", fmt::format("one of {}", fmt::join(names, ", ")));
  if (auto error = members.finish()) return tl::unexpected(*error);
  HONE_TRY(strategy.operators, read_operators(*list, text));
  return strategy;
}

Result<Strategy> preset(std::string_view name) {
  std::vector<std::string_view> names;
  for (const Preset& known : presets()) {
    if (known.name == name) return parse_strategy(known.text);
    names.push_back(known.name);
  }
  return failure(fmt::format("there is no strategy '{}'", name), "",
                 fmt::format("choose one of {}", fmt::join(names, ", ")));
}

}  // namespace hone::search
