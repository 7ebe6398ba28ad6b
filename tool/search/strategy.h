// A strategy as data: population and operators, two independent choices, read from JSON (one preset a file).
//
//   { "name": "builtin",
//     "population": "elite",            who survives: "single" or "elite"
//     "size": 6,                        survivors
//     "initial": 12,                    trials before evolution starts
//     "patience": 60,                   duplicates in a row after which the search gives up
//     "operators": [ { "name": "mutation", "weight": 5 }, … ] }
//
// Unknown members, names of populations or operators that do not exist, and weights that are not positive are errors: a
// misspelt strategy must not run as another one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"

namespace hone::search {

struct OperatorChoice {
  std::string name;   // init, crossover, mutation, tune-constants, …
  double weight = 1;  // share of the requests, once the population has enough to work with
  bool operator==(const OperatorChoice&) const = default;
};

struct Strategy {
  std::string name;
  std::string population = "elite";  // single, elite, islands, …
  unsigned size = 6;                 // survivors
  unsigned initial = 12;             // requests that go to init before evolution starts
  unsigned patience = 60;            // duplicates in a row after which nothing new is to be expected
  std::vector<OperatorChoice> operators;
  bool operator==(const Strategy&) const = default;
};

// `text` is the preset's JSON. Error: line and what was expected.
Result<Strategy> parse_strategy(std::string_view text);

// The preset of that name that ships with Hone; "builtin" is the offline default. Error: names those that exist.
Result<Strategy> preset(std::string_view name);

}  // namespace hone::search
