// As much of a test framework as these tests need.
#pragma once

#include <cmath>
#include <cstdio>

inline int failures = 0;

#define CHECK(condition)                                                  \
  do {                                                                    \
    if (!(condition)) {                                                   \
      std::printf("%s:%d: not so: %s\n", __FILE__, __LINE__, #condition); \
      ++failures;                                                         \
    }                                                                     \
  } while (false)

inline bool close(double a, double b, double by) {
  return std::fabs(a - b) <= by;
}
