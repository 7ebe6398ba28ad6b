// Asks z3 whether something can be. What is written alike for other inputs is asked once.
#pragma once

#include <string>
#include <vector>

#include "tool/proof/machine.h"

namespace hone::proof {

enum class Possible { no, yes, unknown };

class Questions {
 public:
  // `facts`: what is true of the inputs anyway.
  Questions(Logic& logic, Effort& effort, std::vector<Term> facts);

  Possible ask(const Term& condition, double seconds = 2);
  // The number that a term has where the last answer was yes.
  llvm::APInt example(const Term& term);

 private:
  Possible solve(const z3::expr& formula, bool with_facts, double seconds);

  Logic& logic_;
  Effort& effort_;
  std::vector<Term> facts_;
  std::optional<z3::model> model_;
};

}  // namespace hone::proof
