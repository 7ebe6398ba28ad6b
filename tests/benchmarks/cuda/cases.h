// The suite's problems: what each launcher is called with, what it must move and compute, and how exact it must be.
//
// A Case owns nothing: its arrays are made, drawn and compared by suite.cu. Arrays are listed in the order in which
// `call` takes their device pointers. Bytes and operations are the fewest there can be: every input read once, every
// output written once, whatever a version does.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

struct Array {
  enum class Role { in, out, inout };
  Role role = Role::in;
  std::size_t count = 0;
  enum class Element { real, byte, integer };
  Element element = Element::real;
  float low = 0, high = 1;  // drawn evenly from it; bytes from all there are
  std::size_t bytes() const { return count * (element == Element::byte ? 1 : 4); }
};

struct Case {
  std::string kernel;   // a launcher's name, and that of its files
  std::string problem;  // for a person
  std::vector<Array> arrays;
  double operations = 0;      // floating point
  double rtol = 0, atol = 0;  // of the larger of the expected value and the root mean square of all
  std::function<void(void* launcher, const std::vector<void*>& pointers)> call;
  bool control = false;  // nothing is to gain

  double bytes() const;
};

std::vector<Case> cases();
// Four times as large, of those that memory bounds: calls of 0.2 to 0.5 ms, beside which a launch is nothing.
std::vector<Case> large_cases();
