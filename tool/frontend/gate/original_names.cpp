#include "tool/frontend/gate/original_names.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/Decl.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/ExprCXX.h>
#include <clang/Basic/SourceManager.h>

#include <vector>

#include "tool/frontend/parse/syntax_visitor.h"

namespace hone::frontend {
namespace {

using namespace clang;

class Follower final : public SyntaxVisitor {
 public:
  OriginalNames found;

  void follow(const FunctionDecl& function) {
    meet(function);
    while (!pending_.empty()) {
      const FunctionDecl* next = pending_.back();
      pending_.pop_back();
      TraverseDecl(const_cast<FunctionDecl*>(next));
    }
  }

  bool shouldVisitTemplateInstantiations() const { return true; }
  bool shouldVisitImplicitCode() const { return true; }

  bool VisitDeclRefExpr(DeclRefExpr* use) { return meet(*use->getDecl()), true; }
  bool VisitMemberExpr(MemberExpr* use) { return meet(*use->getMemberDecl()), true; }
  bool VisitCXXConstructExpr(CXXConstructExpr* use) { return meet(*use->getConstructor()), true; }
  bool VisitAsmStmt(AsmStmt* statement) { return found.assembly.insert(assembly_text(*statement)), true; }
  bool VisitOverloadExpr(OverloadExpr* use) {
    for (const NamedDecl* one : use->decls()) meet(*one->getUnderlyingDecl());
    return true;
  }

 private:
  void meet(const NamedDecl& declaration) {
    const auto* function = llvm::dyn_cast<FunctionDecl>(&declaration);
    const auto* variable = llvm::dyn_cast<VarDecl>(&declaration);
    if (!function && !(variable && variable->hasGlobalStorage())) return;
    found.names.insert(declaration.getQualifiedNameAsString());
    if (!function) return;
    const SourceManager& sources = declaration.getASTContext().getSourceManager();
    if (sources.isInSystemHeader(sources.getExpansionLoc(function->getLocation())))
      found.folders.insert(folder_of(sources, *function));
    const FunctionDecl* definition = nullptr;
    if (function->hasBody(definition) && seen_.insert(definition).second) pending_.push_back(definition);
  }

  std::vector<const FunctionDecl*> pending_;
  std::set<const FunctionDecl*> seen_;
};

}  // namespace

OriginalNames original_names_of(const FunctionDecl& function) {
  Follower follower;
  follower.follow(function);
  for (const Attr* attribute : function.attrs())
    follower.found.attributes.insert(attribute_text(*attribute, function.getASTContext()));
  return std::move(follower.found);
}

std::string attribute_text(const Attr& attribute, const ASTContext& context) {
  std::string text;
  llvm::raw_string_ostream out(text);
  attribute.printPretty(out, context.getPrintingPolicy());
  return text;
}

std::string assembly_text(const AsmStmt& statement) {
  const auto* gcc = llvm::dyn_cast<GCCAsmStmt>(&statement);
  if (!gcc) return llvm::cast<MSAsmStmt>(statement).getAsmString().str();
  std::string text = gcc->getAsmString()->getString().str();
  for (unsigned i = 0; i < gcc->getNumOutputs(); ++i) text += "\n=" + gcc->getOutputConstraint(i).str();
  for (unsigned i = 0; i < gcc->getNumInputs(); ++i) text += "\n" + gcc->getInputConstraint(i).str();
  for (unsigned i = 0; i < gcc->getNumClobbers(); ++i) text += "\n~" + gcc->getClobber(i).str();
  return text + (gcc->isVolatile() ? "\nvolatile" : "");
}

std::string folder_of(const SourceManager& sources, const FunctionDecl& declaration) {
  const std::string file = sources.getFilename(sources.getExpansionLoc(declaration.getLocation())).str();
  return file.substr(0, file.find_last_of('/') + 1);
}

}  // namespace hone::frontend
