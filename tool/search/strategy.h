// A strategy as data: population and operators, two independent choices, read from JSON (one preset a file).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"

namespace hone::search {

struct OperatorChoice {
  std::string name;    // init, crossover, mutation, tune-constants, …
  double weight = 1;   // share of the requests, once the population has enough to work with
};

struct Strategy {
  std::string name;
  std::string population = "elite";  // single, elite, islands, …
  unsigned size = 6;                 // survivors
  unsigned initial = 12;             // requests that go to init before evolution starts
  std::vector<OperatorChoice> operators;
};

// `text` is the preset's JSON. Error: line and what was expected.
Result<Strategy> parse_strategy(std::string_view text);

// The preset of that name that ships with Hone; "builtin" is the offline default.
Result<Strategy> preset(std::string_view name);

}  // namespace hone::search
