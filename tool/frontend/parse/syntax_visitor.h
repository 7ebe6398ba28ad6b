// The walk over a unit's syntax tree, compiled once. clang::RecursiveASTVisitor is a template: each class derived from
// it compiles thousands of functions again, which takes five seconds.
#pragma once

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclObjC.h>
#include <clang/AST/DeclOpenMP.h>
#include <clang/AST/DeclTemplate.h>
#include <clang/AST/ExprCXX.h>
#include <clang/AST/ExprConcepts.h>
#include <clang/AST/ExprObjC.h>
#include <clang/AST/ExprOpenMP.h>
#include <clang/AST/OpenMPClause.h>
#include <clang/AST/StmtCXX.h>
#include <clang/AST/StmtObjC.h>
#include <clang/AST/StmtOpenACC.h>
#include <clang/AST/StmtOpenMP.h>
#include <clang/AST/TypeLoc.h>

namespace hone::frontend {

// As clang::RecursiveASTVisitor, whose documentation holds here too, with virtual functions instead of static ones:
// derive from it, and define the Visit functions of the nodes that you want to see. Each returns whether to go on.
class SyntaxVisitor {
 public:
  virtual ~SyntaxVisitor() = default;

  virtual bool shouldVisitTemplateInstantiations() const { return false; }
  virtual bool shouldVisitImplicitCode() const { return false; }
  virtual bool shouldTraversePostOrder() const { return false; }

  // Only these can be replaced, to leave out a node with all below it, or to act before and after.
  virtual bool TraverseDecl(clang::Decl* declaration);
  virtual bool TraverseCompoundStmt(clang::CompoundStmt* block);
  virtual bool TraverseLambdaExpr(clang::LambdaExpr* lambda);
  virtual bool TraverseCXXOperatorCallExpr(clang::CXXOperatorCallExpr* call);
  virtual bool TraverseCUDAKernelCallExpr(clang::CUDAKernelCallExpr* launch);
  virtual bool TraverseNestedNameSpecifierLoc(clang::NestedNameSpecifierLoc name);
  virtual bool TraverseConceptReference(clang::ConceptReference* use);
  virtual bool TraverseTemplateName(clang::TemplateName name);
  virtual bool dataTraverseStmtPre(clang::Stmt*) { return true; }

  bool TraverseStmt(clang::Stmt* statement);
  bool TraverseTypeLoc(clang::TypeLoc type);
  bool TraverseTemplateArgument(const clang::TemplateArgument& argument);

  virtual bool VisitDecl(clang::Decl*) { return true; }
#define DECL(CLASS, BASE)                                \
  virtual bool Visit##CLASS##Decl(clang::CLASS##Decl*) { \
    return true;                                         \
  }
#include <clang/AST/DeclNodes.inc>

  virtual bool VisitStmt(clang::Stmt*) {
    return true;
  }
#define STMT(CLASS, PARENT)                  \
  virtual bool Visit##CLASS(clang::CLASS*) { \
    return true;                             \
  }
#include <clang/AST/StmtNodes.inc>

  virtual bool VisitType(clang::Type*) {
    return true;
  }
  virtual bool VisitTypeLoc(clang::TypeLoc) {
    return true;
  }
  virtual bool VisitQualifiedTypeLoc(clang::QualifiedTypeLoc) {
    return true;
  }
  virtual bool VisitUnqualTypeLoc(clang::UnqualTypeLoc) {
    return true;
  }
#define TYPE(CLASS, BASE)                                     \
  virtual bool Visit##CLASS##Type(clang::CLASS##Type*) {      \
    return true;                                              \
  }                                                           \
  virtual bool Visit##CLASS##TypeLoc(clang::CLASS##TypeLoc) { \
    return true;                                              \
  }
#include <clang/AST/TypeNodes.inc>

  // Of OpenMP's clauses only this one can be seen: Clang keeps its own steps for the others to itself. What replaces
  // it hides what stands in the clause.
  virtual bool VisitOMPNumThreadsClause(clang::OMPNumThreadsClause* clause) {
    return TraverseStmt(clause->getPreInitStmt()) && TraverseStmt(clause->getNumThreads());
  }
};

}  // namespace hone::frontend
