// What every driver of tests/transforms/workbench.cpp begins with. Precompiled, since each test compiles one.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <vector>
static std::vector<double> kept;
static unsigned state;
template <class T> std::vector<T> numbers(long long count) {
  std::vector<T> values(count > 0 ? count : 0);
  for (auto& value : values) {
    state = state * 1664525u + 1013904223u;
    value = T(int(state >> 24) - 100) / T(8);
  }
  return values;
}
template <class V> void keep(const V& values) { for (auto value : values) kept.push_back(double(value)); }
