#include "tool/frontend/gate/candidate_place.h"

#include <clang/AST/Decl.h>
#include <clang/Basic/SourceManager.h>

#include "tool/frontend/parse/file_regions.h"
#include "tool/frontend/parse/naming.h"
#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {

using namespace clang;

namespace {

class Functions final : public SyntaxVisitor {
 public:
  Functions(const SourceManager& sources, Whose whose) : sources_(sources), whose_(whose) {}

  std::vector<const FunctionDecl*> found;

  bool shouldVisitTemplateInstantiations() const override { return true; }
  bool TraverseDecl(Decl* declaration) override {
    if (!declaration) return true;
    const bool way = llvm::isa<TranslationUnitDecl, NamespaceDecl, LinkageSpecDecl>(declaration);
    return !way && !is_wanted(declaration->getLocation()) ? true : SyntaxVisitor::TraverseDecl(declaration);
  }
  bool VisitFunctionDecl(FunctionDecl* function) override {
    if (function->doesThisDeclarationHaveABody() && !function->isDependentContext()) found.push_back(function);
    return true;
  }

 private:
  bool is_wanted(SourceLocation location) const {
    return whose_ == Whose::candidate ? in_candidate(sources_, location) : !sources_.isInSystemHeader(location);
  }

  const SourceManager& sources_;
  const Whose whose_;
};

}  // namespace

bool in_candidate(const SourceManager& sources, SourceLocation location) {
  if (location.isInvalid()) return false;
  const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(location));
  return place.isValid() && StringRef(place.getFilename()) == kCandidateFile;
}

unsigned candidate_line(const SourceManager& sources, SourceLocation location) {
  const PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(location));
  return place.isValid() ? place.getLine() : 1;
}

std::vector<const FunctionDecl*> functions_of(const Parsed& parsed, Whose whose) {
  Functions functions(parsed.sources(), whose);
  for (Decl* declaration : parsed.declarations()) functions.TraverseDecl(declaration);
  return std::move(functions.found);
}

bool is_kernel(const NamedDecl& declaration, const KernelSpec& spec) {
  const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration);
  return function && !function->isDependentContext() && !function->isTemplateInstantiation() &&
         mangled_name(*function) == spec.mangled_name && signature(*function) == spec.signature;
}

}  // namespace hone::frontend
