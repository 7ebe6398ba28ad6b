// What a capture says in place of clauses that an annotation leaves out. Values are C++ and C text. Plain values.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "tool/model/kernel_spec.h"

namespace hone {

struct CapturedClauses {
  struct Problem {
    std::vector<std::pair<std::string, std::string>> values;  // of scalars, by name
    double weight = 1;                                        // in percent of what was captured
  };
  struct Init {
    std::string name;
    Distribution distribution = Distribution::uniform;
    std::vector<std::string> arguments;  // two
  };
  std::vector<Problem> problems;
  std::vector<Init> inits;
};

// By the kernel's mangled name.
using CapturedBy = std::function<CapturedClauses(const std::string&)>;

}  // namespace hone
