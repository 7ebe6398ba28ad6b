#include "tool/frontend/gate/state_policy.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/Attr.h>
#include <clang/AST/DeclCXX.h>
#include <clang/AST/DeclTemplate.h>

#include "tool/frontend/gate/candidate_place.h"
#include "tool/frontend/parse/device_code.h"

namespace hone::frontend {
namespace {

using namespace clang;

QualType element_type(const VarDecl& variable) {
  return variable.getASTContext().getBaseElementType(variable.getType());
}

bool is_computed_at_run_time(const VarDecl& variable) {
  if (variable.isConstexpr() || variable.getType()->isDependentType()) return false;
  const VarDecl* initialized = nullptr;
  const Expr* value = variable.getAnyInitializer(initialized);
  if (!value || value->isValueDependent() || value->isInstantiationDependent()) return false;
  if (const CXXRecordDecl* record = element_type(variable)->getAsCXXRecordDecl();
      record && record->hasDefinition() && !record->hasTrivialDestructor() && !record->hasConstexprDestructor())
    return true;
  return !value->isConstantInitializer(variable.getASTContext(), variable.getType()->isReferenceType()) &&
         !initialized->hasConstantInitialization();
}

bool has_mutable_field(QualType type) {
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  return record && record->hasDefinition() && record->hasMutableFields();
}

// Scratch memory; whether more than that lasts in it is for the judge to see.
std::string object_to_thread_local(const VarDecl& variable, const std::string& name) {
  const QualType type = element_type(variable);
  if (type->isDependentType()) return "";
  const CXXRecordDecl* record = type->getAsCXXRecordDecl();
  const bool plain = !type->isReferenceType() && !type.isVolatileQualified() &&
                     (!record || (record->hasDefinition() && record->hasTrivialDestructor() &&
                                  (record->hasTrivialDefaultConstructor() || record->isAggregate())));
  if (!plain || is_computed_at_run_time(variable))
    return "thread-local state with a constructor or destructor is not allowed (" + name +
           "): it runs code beside the calls; make it an array of numbers, or a local variable";
  if (variable.isThisDeclarationADefinition() == VarDecl::DeclarationOnly)
    return name + " is declared but not defined; a candidate brings its own data";
  if (variable.isExternallyVisible() && !variable.isStaticLocal())
    return name + " could collide with another file's variable; make it static";
  return "";
}

}  // namespace

std::string object_to_variable(const VarDecl& variable) {
  const bool own = in_candidate(variable.getASTContext().getSourceManager(), variable.getLocation());
  const bool thread_local_state = variable.getTSCSpec() != TSCS_unspecified;
  if ((!own || !variable.hasGlobalStorage()) && !thread_local_state) return "";
  if (is_shared_memory(variable)) return "";
  const std::string name = "'" + variable.getNameAsString() + "'";
  if (thread_local_state) return object_to_thread_local(variable, name);
  if (variable.isThisDeclarationADefinition() == VarDecl::DeclarationOnly && !variable.isStaticDataMember())
    return name + " is declared but not defined; a candidate brings its own data";
  const QualType type = element_type(variable);
  if (type->isDependentType()) return "";
  const bool constant =
      type.isConstQualified() || variable.isConstexpr() || (variable.hasAttr<CUDAConstantAttr>() && variable.hasInit());
  if (!constant || type.isVolatileQualified() || has_mutable_field(type))
    return "static state that can change is not allowed (" + name + "); make it constexpr or a local variable";
  if (is_computed_at_run_time(variable))
    return "static state that is computed when the program runs is not allowed (" + name +
           "); make it constexpr or a local variable";
  if (variable.isExternallyVisible() && !variable.isInline() && !variable.isStaticDataMember() &&
      variable.getDeclContext()->getRedeclContext()->isFileContext() && !variable.getDescribedVarTemplate() &&
      !llvm::isa<VarTemplateSpecializationDecl>(variable))
    return name + " could collide with another file's variable; make it static";
  return "";
}

}  // namespace hone::frontend
