// For programs that write what transformations make of kernels: how a genome is told, and what ends the program.
#pragma once

#include <cstdlib>
#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/model/candidate.h"

namespace hone::test {

// Prints `what` and ends with 3 (the environment failed) where it is not right.
inline void require(bool right, const std::string& what) {
  if (right) return;
  fmt::print(stderr, "{}\n", what);
  std::exit(3);
}

// "restrict@0() vector_access@0(4,0,0)": transformation, site, arguments.
inline std::string shown(const Genome& genome) {
  std::string text;
  for (const Gene& gene : genome)
    text +=
        fmt::format("{}{}@{}({})", text.empty() ? "" : " ", gene.transform, gene.site, fmt::join(gene.arguments, ","));
  return text;
}

}  // namespace hone::test
