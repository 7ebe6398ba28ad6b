// Which pragmas a candidate may use, and where: those that speak of the statement below, or that are taken back.
// State of one walk over a candidate's pragmas in order.
#pragma once

#include <string>
#include <vector>

namespace hone::frontend {

class PragmaPolicy {
 public:
  explicit PragmaPolicy(bool threads) : threads_(threads) {}

  // `words`: the pragma's tokens without `#pragma`. `inside`: within braces of the candidate's. "" or what is wrong.
  std::string look(const std::vector<std::string>& words, bool inside);
  // At the candidate's end: what was pushed must have been popped.
  std::string finish() const;

 private:
  std::string look_at_gcc(const std::vector<std::string>& words);
  std::string look_at_clang(const std::vector<std::string>& words, bool inside);
  std::string look_at_openmp(const std::vector<std::string>& words) const;
  std::string look_at_diagnostic(const std::vector<std::string>& words, std::size_t at);

  const bool threads_;
  int options_ = 0;  // pushed and not yet popped
  int diagnostics_ = 0;
};

}  // namespace hone::frontend
