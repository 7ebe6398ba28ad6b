// A kernel's arguments as formulas: what the annotation leaves open is unknown.
#pragma once

#include <llvm/IR/Module.h>

#include "tool/model/kernel_spec.h"
#include "tool/proof/equivalence.h"

namespace hone::proof {

// No arguments make sense for the sizes that were given.
struct NoSuchSize {};

class Inputs {
 public:
  Inputs(Space& space, const KernelData& spec, const Given& given);

  // Asks the harness for the arrays' sizes, and adds them. Throws NoSuchSize; Unsupported where one is not known.
  void add_arrays(const llvm::Module& original, Effort& effort);

  // The arguments of hone_call and hone_evaluate.
  Value slots() const { return pointer_to(slots_); }
  Value result() const { return pointer_to(result_); }
  Value pointer_to(unsigned object) const;

  const std::vector<Term>& facts() const { return facts_; }
  unsigned scalar(std::size_t parameter) const { return objects_[parameter]; }
  // The object of an array: what is compared, element by element.
  unsigned array(std::size_t parameter) const { return objects_[parameter]; }
  std::vector<std::size_t> compared(std::size_t parameter) const;
  unsigned result_object() const { return result_; }

 private:
  struct Range {
    std::optional<Term> low, high;  // of 66 bits, included
  };
  struct Array {
    std::vector<std::pair<long long, long long>> spans;  // start, length
    std::size_t elements = 0;
  };
  Term fresh_field(const Parameter& parameter, const Field& field, const Range& range);
  unsigned new_scalar(const Parameter& parameter, const long long* given);
  void point_slots();
  void evaluate(const llvm::Module& original, Effort& effort);
  long long known_integer(ExpressionId id, const std::string& name) const;
  double known_real(ExpressionId id, const std::string& name) const;
  Range range_of(const Parameter& parameter, const ScalarType& type, std::size_t elements) const;
  void restrict_scalars();
  unsigned new_array(const Parameter& parameter, const Array& array);

  Space& space_;
  Logic& logic_;
  const KernelData& spec_;
  unsigned slots_ = 0, result_ = 0;
  std::vector<unsigned> objects_;  // per parameter
  std::vector<Array> arrays_;      // by parameter
  std::vector<Term> facts_;
  std::vector<Value> integers_, reals_;
};

}  // namespace hone::proof
