#include "tool/frontend/gate/unit_text.h"

#include "tool/frontend/gate/candidate_text.h"
#include "tool/frontend/parse/line_directive.h"

namespace hone::frontend {

const char* const kOfGcc =
    "template <class hone_v, class hone_m> hone_v __builtin_shuffle(hone_v, hone_m);\n"
    "template <class hone_v, class hone_m> hone_v __builtin_shuffle(hone_v, hone_v, hone_m);\n";

std::string with_definition(const KernelUnit& unit, const SplitSource& split) {
  return unit.prologue + line_directive(1, kCandidateFile) + split.includes + line_directive(1, "<of gcc>") + kOfGcc +
         unit.opening + line_directive(split.definition_line, kCandidateFile) + split.definition + "\n" + unit.closing +
         unit.harness;
}

}  // namespace hone::frontend
