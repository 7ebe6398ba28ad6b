// Runs a transformed kernel against the original: renders a genome with a real Workshop, compiles both versions into
// one program with the system's g++ and the address and undefined-behavior sanitizers, and compares what they write.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tool/transforms/workshop.h"

namespace hone::frontend {

struct Snippet {
  std::string kernel;  // the definition of a function named `kernel`
  // Statements that call kernel(…) for the size n. At hand: numbers<T>(count), a vector of reproducible data, and
  // keep(vector), which records what the kernel wrote.
  std::string drive;
  std::string prologue = "";  // includes and declarations in front of the kernel
  unsigned threads = 1;
  bool exact = false;  // outputs must not differ by rounding
  std::string machine = "-march=native";
  std::string language = "-std=c++17";
  Form form = Form::plain;
  std::vector<int> alias_groups{};  // of the parameters, in order; none may overlap where absent
};

class Workbench {
 public:
  explicit Workbench(Snippet snippet);

  // Renders; fails the test when not every gene applied.
  std::string apply(const Genome& genome);
  Workshop& workshop() { return *workshop_; }
  const KernelSpec& spec() const { return spec_; }

  // "" when candidate and original agree on all sizes; else the first difference, or the compiler's or sanitizer's
  // words. tolerance: relative to the larger of the two values and 1; 0 is equality.
  std::string difference(const std::string& candidate, double tolerance = 0) const;

 private:
  Snippet snippet_;
  KernelSpec spec_;
  std::unique_ptr<Workshop> workshop_;
};

}  // namespace hone::frontend
