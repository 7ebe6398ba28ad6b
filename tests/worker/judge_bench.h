// A small kernel, compiled by g++ as the tuner would, and judged by the real hone-worker through its pipes.
#pragma once

#include <string>
#include <vector>

#include "tool/bundle/bundle.h"
#include "tool/model/kernel_spec.h"
#include "tool/model/verdict.h"

namespace hone::test {

// An ELF shared object of `source` with extern "C" hone_call, hone_problem, hone_evaluate in it. Compiled once per
// text.
std::string compile(const std::string& source, const std::string& flags = "-O2");
std::string compile_sanitized(const std::string& source);
std::string compile_race_checked(const std::string& source);  // with OpenMP

ElementType element(const std::string& spelling);  // float double int unsigned char bool
Parameter scalar(const std::string& name, const std::string& type);
Parameter array(const std::string& name, const std::string& type, Role role, ExpressionId length);

// void kernel(const float* x, float* y, int n), x and y of n elements; problems n=… as given.
// `body` is the text of the kernel's definition, named kernel.
struct Saxpy {
  static KernelSpec spec(const std::vector<int>& sizes);
  static std::string unit(const std::string& body, const std::vector<int>& sizes);
};

// A bundle of that kernel, timed for so long: its candidate multiplies by `factor`, its original by 2.
bundle::Bundle scaling_bundle(const std::string& factor, std::vector<double> looks = {0.02});

// Runs hone-worker on the bundle. Fails the test when it prints no verdict.
bundle::Answer judge(const bundle::Bundle& bundle, double* seconds = nullptr);

// The same for one candidate of the kernel above against `original`; quick looks unless `rule` says otherwise.
struct Judged {
  std::string original, candidate;
  std::vector<int> sizes{20000};
  bool sanitized = false;
  bool race_checked = false;  // all objects are then built with OpenMP
  bundle::Task task = bundle::Task::candidate;
  statistics::AcceptanceRule rule{};
  double timeout_seconds = 10;
  KernelSpec spec{};      // absent parameters: Saxpy::spec(sizes)
  std::string precise{};  // the original in double, of precise_spec
  KernelSpec precise_spec{};
  bundle::Depth depth = bundle::Depth::trial;
  bool finite_math = false;
};
bundle::Answer judge(const Judged& judged, double* seconds = nullptr);

}  // namespace hone::test
