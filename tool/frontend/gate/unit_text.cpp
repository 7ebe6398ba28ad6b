#include "tool/frontend/gate/unit_text.h"

#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/model/kernel_language.h"

namespace hone::frontend {

const char* of_gcc(const KernelIdentity& kernel) {
  if (is_c(kernel)) return "#define __builtin_shuffle(hone_vector, ...) (hone_vector)\n";
  return "template <class hone_v, class hone_m> hone_v __builtin_shuffle(hone_v, hone_m);\n"
         "template <class hone_v, class hone_m> hone_v __builtin_shuffle(hone_v, hone_v, hone_m);\n";
}

std::string with_definition(const KernelSpec& kernel, const SplitSource& split) {
  const KernelUnit& unit = kernel.unit;
  return unit.prologue + line_directive(1, kCandidateFile) + split.includes + line_directive(1, "<of gcc>") +
         of_gcc(kernel) + unit.opening + line_directive(split.definition_line, kCandidateFile) + split.definition +
         "\n" + unit.closing + unit.harness;
}

}  // namespace hone::frontend
