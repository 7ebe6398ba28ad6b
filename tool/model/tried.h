// What a verdict rests on: the sizes, values and checks that a candidate went through, for a person who weighs it.
//
// Summed over all cases of one judgment, and of what was asked outside of the worker (a proof, a comparison of code).
// Words are the user's, not ours: "all equal", "AddressSanitizer". A plain value; it decides nothing.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hone {

// What a scalar parameter was, over all cases.
struct ScalarRange {
  std::string name;
  double from = 0, to = 0;
  bool operator==(const ScalarRange&) const = default;
};

struct Tried {
  std::uint64_t cases = 0;             // sets of arguments whose answers were compared
  std::vector<ScalarRange> scalars;    // in the order of the parameters
  std::vector<std::string> values;     // what arrays held: "uniform", "nan", "all equal"
  std::vector<std::string> checks;     // what else looked: "guard pages", "AddressSanitizer", "a small stack"
  std::vector<std::string> not_tried;  // and what could not, with the reason
  std::string proof;                   // "equal for n <= 16"; "": none

  bool empty() const { return cases == 0 && checks.empty() && proof.empty(); }

  void note_scalar(std::string_view name, double value);
  void note_values(std::string_view what);
  void note_check(std::string_view what);
  void note_not_tried(std::string_view what);
  // The same candidate's other judgment.
  void add(const Tried& other);

  bool operator==(const Tried&) const = default;
};

// What lock files and `hone show` say of it: a label and a line each, those with nothing to say left out.
//   sizes      n 0 to 320000, alpha -1 to 2e+30; 412 cases
//   values     uniform, nan, all equal
//   checks     guard pages, AddressSanitizer
//   proof      equal for n <= 16
//   not tried  data races: ThreadSanitizer does not start here
struct TriedLine {
  std::string label, text;
  bool operator==(const TriedLine&) const = default;
};
std::vector<TriedLine> lines_of(const Tried& tried);

}  // namespace hone
