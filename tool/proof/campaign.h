// Which sizes are compared, in which order, and what that comes to in a sentence.
//
// Integers that decide how large the arrays are, or how often loops go round, have to be known: small values are tried,
// from none on, as long as there is time. All others stay unknown.
#pragma once

#include <llvm/IR/Module.h>

#include <optional>
#include <string>

#include "tool/model/kernel_spec.h"
#include "tool/proof/equivalence.h"

namespace hone::proof {

struct Report {
  std::string proved;  // "n <= 16"; "": nothing
  std::string why;     // why nothing, or not more: "uses floating-point arithmetic"
  bool wraps = false;  // proved as long as signed numbers wrap
  unsigned sizes = 0;  // that were compared
  std::optional<Example> example;
};

Report prove(const KernelData& spec, const Modules& modules, double seconds);

}  // namespace hone::proof
