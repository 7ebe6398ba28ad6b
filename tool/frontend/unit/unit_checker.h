// Makes a kernel's unit and lets Clang compile it: the reduced text if it stands alone, else less and less reduced; and
// the values of the annotation's constants, which only a compiler knows. Errors in clauses come back at the clause.
#pragma once

#include <string>
#include <vector>

#include "tool/frontend/describe/attachment.h"
#include "tool/frontend/describe/closure.h"
#include "tool/frontend/describe/description.h"
#include "tool/frontend/describe/placement.h"
#include "tool/frontend/unit/unit_builder.h"

namespace hone::frontend {

class UnitChecker {
 public:
  UnitChecker(Parser& parser, const TranslationUnit& unit, const Outline& outline, const Annotation& annotation)
      : parser_(parser), unit_(unit), outline_(outline), annotation_(annotation) {}

  // Fills spec.unit and what the pending constants store. The mistakes are the user's.
  std::vector<Mistake> build(const Attachment& attachment, const Closure& closure, const Description& description,
                             const Placement& placement, KernelSpec& spec);

 private:
  Parser& parser_;
  const TranslationUnit& unit_;
  const Outline& outline_;
  const Annotation& annotation_;
};

}  // namespace hone::frontend
