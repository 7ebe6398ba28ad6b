// Figures in the lock file: short, and the same whoever writes them.
#pragma once

#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace hone::cache {

// JSON has no infinities: what is none of its numbers becomes 1.
inline double four_digits(double value) {
  if (!std::isfinite(value)) return 1;
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value);
  return std::strtod(text, nullptr);
}

}  // namespace hone::cache
