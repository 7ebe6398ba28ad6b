#include "tool/frontend/gate/candidate_macros.h"

#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Preprocessor.h>

#include "tool/frontend/gate/candidate_text.h"

namespace hone::frontend {

using namespace clang;

std::string object_to_macros(const Parsed& parsed, const std::set<std::string>& macros) {
  const SourceManager& sources = parsed.sources();
  Preprocessor& preprocessor = parsed.preprocessor();
  for (const std::string& name : macros) {
    const MacroDirective* last = preprocessor.getLocalMacroDirectiveHistory(preprocessor.getIdentifierInfo(name));
    for (const MacroDirective* one = last; one; one = one->getPrevious()) {
      const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(one->getLocation()));
      if (llvm::isa<DefMacroDirective>(one) && (place.isInvalid() || StringRef(place.getFilename()) != kCandidateFile))
        return to_string({DiagnosticCode::candidate_directive, 1,
                          "the macro '" + name + "' has a meaning already; call the candidate's own otherwise"});
      if (llvm::isa<DefMacroDirective>(one) && one == last)
        return to_string({DiagnosticCode::candidate_directive, place.getLine(),
                          "the macro '" + name + "' outlives the candidate; add #undef " + name +
                              " at its end, outside of any #if"});
    }
  }
  return "";
}

}  // namespace hone::frontend
