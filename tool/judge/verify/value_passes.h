// Verification on other values: special elements, data by pattern, other scalars.
#pragma once

#include <optional>
#include <vector>

#include "tool/judge/verify/casebook.h"

namespace hone::judge {

class ValuePasses {
 public:
  explicit ValuePasses(Casebook& book) : book_(book), runs_(book.runs), spec_(runs_.spec()), plan_(runs_.plan()) {}

  Found judge_special();
  Found judge_patterns();
  Found judge_scalars();
  Found judge_nulls();

 private:
  static std::optional<Finding> broken_promise(const Parameter& parameter);
  Found judge_ties();
  Found judge_patterns_of(const Case& like, bool all, double seconds);
  Found judge_scalars_on(const Case& like, double until);
  Found judge_scalars_on_nothing();
  Result<std::optional<Case>> scalar_case(const Case& like, const Sizes& sizes, const std::vector<Override>& others);

  Casebook& book_;
  CaseRuns& runs_;
  const KernelData& spec_;
  const bundle::Plan& plan_;
};

}  // namespace hone::judge
