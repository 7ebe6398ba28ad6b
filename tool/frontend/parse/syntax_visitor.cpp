#include "tool/frontend/parse/syntax_visitor.h"

#include <clang/AST/RecursiveASTVisitor.h>

namespace hone::frontend {
namespace {

// Brings each step of Clang's walk to the visitor, which may lead back to Clang's own step. Holds no state, so that a
// new one may go on anywhere.
class Walk final : public clang::RecursiveASTVisitor<Walk> {
 public:
  using Base = clang::RecursiveASTVisitor<Walk>;
  explicit Walk(SyntaxVisitor& visitor) : visitor_(visitor) {}

  bool shouldVisitTemplateInstantiations() const { return visitor_.shouldVisitTemplateInstantiations(); }
  bool shouldVisitImplicitCode() const { return visitor_.shouldVisitImplicitCode(); }
  bool shouldTraversePostOrder() const { return visitor_.shouldTraversePostOrder(); }

  bool TraverseDecl(clang::Decl* declaration) { return visitor_.TraverseDecl(declaration); }
  bool TraverseCompoundStmt(clang::CompoundStmt* block) { return visitor_.TraverseCompoundStmt(block); }
  bool TraverseLambdaExpr(clang::LambdaExpr* lambda) { return visitor_.TraverseLambdaExpr(lambda); }
  bool TraverseCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
    return visitor_.TraverseCXXOperatorCallExpr(call);
  }
  bool TraverseCUDAKernelCallExpr(clang::CUDAKernelCallExpr* launch) {
    return visitor_.TraverseCUDAKernelCallExpr(launch);
  }
  bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc name) {
    return visitor_.TraverseNestedNameSpecifierLoc(name);
  }
  bool TraverseConceptReference(clang::ConceptReference* use) { return visitor_.TraverseConceptReference(use); }
  bool TraverseTemplateName(clang::TemplateName name) { return visitor_.TraverseTemplateName(name); }
  bool dataTraverseStmtPre(clang::Stmt* statement) { return visitor_.dataTraverseStmtPre(statement); }

  bool VisitDecl(clang::Decl* node) { return visitor_.VisitDecl(node); }
#define DECL(CLASS, BASE)                             \
  bool Visit##CLASS##Decl(clang::CLASS##Decl* node) { \
    return visitor_.Visit##CLASS##Decl(node);         \
  }
#include <clang/AST/DeclNodes.inc>

  bool VisitStmt(clang::Stmt* node) {
    return visitor_.VisitStmt(node);
  }
#define STMT(CLASS, PARENT)               \
  bool Visit##CLASS(clang::CLASS* node) { \
    return visitor_.Visit##CLASS(node);   \
  }
#include <clang/AST/StmtNodes.inc>

  bool VisitType(clang::Type* node) {
    return visitor_.VisitType(node);
  }
  bool VisitTypeLoc(clang::TypeLoc node) {
    return visitor_.VisitTypeLoc(node);
  }
  bool VisitQualifiedTypeLoc(clang::QualifiedTypeLoc node) {
    return visitor_.VisitQualifiedTypeLoc(node);
  }
  bool VisitUnqualTypeLoc(clang::UnqualTypeLoc node) {
    return visitor_.VisitUnqualTypeLoc(node);
  }
#define TYPE(CLASS, BASE)                                  \
  bool Visit##CLASS##Type(clang::CLASS##Type* node) {      \
    return visitor_.Visit##CLASS##Type(node);              \
  }                                                        \
  bool Visit##CLASS##TypeLoc(clang::CLASS##TypeLoc node) { \
    return visitor_.Visit##CLASS##TypeLoc(node);           \
  }
#include <clang/AST/TypeNodes.inc>

  bool VisitOMPNumThreadsClause(clang::OMPNumThreadsClause* clause) {
    return visitor_.VisitOMPNumThreadsClause(clause);
  }

 private:
  SyntaxVisitor& visitor_;
};

}  // namespace

bool SyntaxVisitor::TraverseDecl(clang::Decl* declaration) {
  return Walk(*this).Walk::Base::TraverseDecl(declaration);
}
bool SyntaxVisitor::TraverseCompoundStmt(clang::CompoundStmt* block) {
  return Walk(*this).Walk::Base::TraverseCompoundStmt(block);
}
bool SyntaxVisitor::TraverseLambdaExpr(clang::LambdaExpr* lambda) {
  return Walk(*this).Walk::Base::TraverseLambdaExpr(lambda);
}
bool SyntaxVisitor::TraverseCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call) {
  return Walk(*this).Walk::Base::TraverseCXXOperatorCallExpr(call);
}
bool SyntaxVisitor::TraverseCUDAKernelCallExpr(clang::CUDAKernelCallExpr* launch) {
  return Walk(*this).Walk::Base::TraverseCUDAKernelCallExpr(launch);
}
bool SyntaxVisitor::TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc name) {
  return Walk(*this).Walk::Base::TraverseNestedNameSpecifierLoc(name);
}
bool SyntaxVisitor::TraverseConceptReference(clang::ConceptReference* use) {
  return Walk(*this).Walk::Base::TraverseConceptReference(use);
}
bool SyntaxVisitor::TraverseTemplateName(clang::TemplateName name) {
  return Walk(*this).Walk::Base::TraverseTemplateName(name);
}
bool SyntaxVisitor::TraverseStmt(clang::Stmt* statement) {
  return Walk(*this).TraverseStmt(statement);
}
bool SyntaxVisitor::TraverseTypeLoc(clang::TypeLoc type) {
  return Walk(*this).TraverseTypeLoc(type);
}
bool SyntaxVisitor::TraverseTemplateArgument(const clang::TemplateArgument& argument) {
  return Walk(*this).TraverseTemplateArgument(argument);
}

}  // namespace hone::frontend
