#include "tool/frontend/gate/candidate_place.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include "tool/frontend/parse/file_regions.h"
#include "tool/frontend/parse/naming.h"

namespace hone::frontend {

using namespace clang;

bool in_candidate(const SourceManager& sources, SourceLocation location) {
  if (location.isInvalid()) return false;
  const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(location));
  return place.isValid() && StringRef(place.getFilename()) == kCandidateFile;
}

unsigned candidate_line(const SourceManager& sources, SourceLocation location) {
  const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(location));
  return place.isValid() ? place.getLine() : 1;
}

bool is_kernel(const NamedDecl& declaration, const KernelSpec& spec) {
  const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration);
  return function && !function->isDependentContext() && !function->isTemplateInstantiation() &&
         mangled_name(*function) == spec.mangled_name && signature(*function) == spec.signature;
}

}  // namespace hone::frontend
