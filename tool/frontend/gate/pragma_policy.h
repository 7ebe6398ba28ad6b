// Which pragmas a candidate may use, and where: those that speak of the statement below, or that are taken back, and
// those that the original has. State of one walk over a candidate's pragmas in order.
#pragma once

#include <set>
#include <string>
#include <vector>

namespace hone::frontend {

// Lines of a candidate between '#pragma GCC target' and the pop that takes it back.
struct TargetRange {
  unsigned first = 0, last = 0;
  std::string features;  // as written: "avx2,fma"
};

// Where a pragma stands.
struct PragmaPlace {
  unsigned line = 1;
  bool inside = false;    // within braces of the candidate's
  bool in_macro = false;  // in a macro's body: it acts wherever that is used
  std::string condition;  // of the #ifs around it, "" without; what is pushed must be popped under the same
};

// A pragma's tokens without `#pragma`.
using PragmaWords = std::vector<std::string>;

class PragmaPolicy {
 public:
  // `threads`: the annotation allows them. `original`: what stands in the original's definition.
  PragmaPolicy(bool threads, std::set<PragmaWords> original) : threads_(threads), original_(std::move(original)) {}

  // "" or what is wrong.
  std::string look(const PragmaWords& words, const PragmaPlace& place);
  // At the candidate's end: what was pushed must have been popped.
  std::string finish() const;
  bool threads() const { return threads_; }
  const std::vector<TargetRange>& targets() const { return targets_; }

 private:
  std::string object(const PragmaWords& words, const PragmaPlace& place);
  std::string look_at_gcc(const std::vector<std::string>& words, const PragmaPlace& place);
  std::string look_at_clang(const std::vector<std::string>& words, const PragmaPlace& place);
  std::string look_at_openmp(const std::vector<std::string>& words) const;
  std::string look_at_diagnostic(const std::vector<std::string>& words, std::size_t at, const PragmaPlace& place);

  const bool threads_;
  const std::set<PragmaWords> original_;
  std::vector<std::string> options_;  // pushed and not yet popped: under which condition
  std::vector<std::string> diagnostics_;
  std::vector<TargetRange> targets_;
  std::vector<std::size_t> depths_;  // of each target: how many were pushed
};

}  // namespace hone::frontend
