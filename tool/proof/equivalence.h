// Original and candidate of one kernel, on all inputs of one size: can their outputs differ?
//
// Both are called through the harness that the judge calls them by (runner/abi.h), on the same memory, whose
// content is unknown within what the annotation says of it. Where the original is undefined nothing is asked of the
// candidate; where the candidate alone is, or writes what is not its own, that is a difference. Overflow of signed
// numbers in the candidate alone is none, since processors wrap; it is reported.
#pragma once

#include <llvm/IR/Module.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/kernel_spec.h"
#include "tool/proof/machine.h"

namespace hone::proof {

// Parameters that have a value; the others may have any.
using Given = std::map<unsigned, long long>;

struct Example {
  std::vector<std::string> scalars;  // per parameter, their bytes; "" for arrays
  std::vector<std::string> arrays;   // per parameter; "" for scalars
  std::string what;                  // differs
};

struct Outcome {
  enum class Kind {
    equal,
    differs,
    unknown,
    undefined
  } kind = Kind::unknown;          // undefined: the original is, or there is no such size
  std::string why;                 // unknown: a noun
  bool wraps = false;              // equal as long as signed numbers wrap
  std::optional<Example> example;  // of a difference
};

struct Modules {
  const llvm::Module& original;
  const llvm::Module& candidate;
};

// `logic`: one for all sizes, as formulas of one are those of another. `ask_overflow`: else it is not asked whether it
// overflows.
Outcome compare(Logic& logic, const KernelData& spec, const Modules& modules, const Given& given, Effort& effort,
                bool ask_overflow = true);

// Whether the arrays' sizes are known where these are given.
bool sizes_known(const KernelData& spec, const llvm::Module& original, const Given& given, Effort& effort);

// The values of a problem's integers.
Given declared(const KernelData& spec, const llvm::Module& original, unsigned problem, Effort& effort);

}  // namespace hone::proof
