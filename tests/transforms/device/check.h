// The versions of one kernel of kernels/, which all take (x, y, rows, n): the original first.
#pragma once

#include <vector>

struct Version {
  const char* genome;  // "" of the original
  void (*call)(const void* x, void* y, int rows, int n);
};

struct Versions {
  const char* kernel;  // its last part says what the elements are: f32, f64, i32, h16, b16, c32
  std::vector<Version> versions;
};

std::vector<Versions> all_versions();  // in the file that `moves` writes
