#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include "tool/frontend/arguments/argument_plan.h"
#include "tool/frontend/arguments/member_uses.h"
#include "tool/frontend/arguments/number_datum.h"

namespace hone::frontend {
namespace {

using namespace clang;

// The function itself, where it is called on an object.
const CXXMethodDecl* on_object(const FunctionDecl& function) {
  const auto* method = llvm::dyn_cast<CXXMethodDecl>(&function);
  return method && method->isImplicitObjectMemberFunction() ? method : nullptr;
}

bool has_member(const CXXRecordDecl& record, const IdentifierInfo& name) {
  if (!record.hasDefinition()) return false;
  for (const NamedDecl* found : record.lookup(&name))
    if (llvm::isa<FieldDecl, IndirectFieldDecl>(found)) return true;
  for (const CXXBaseSpecifier& base : record.bases())
    if (const CXXRecordDecl* inner = base.getType()->getAsCXXRecordDecl(); inner && has_member(*inner, name))
      return true;
  return false;
}

// Data that a const function may change nonetheless.
bool mentions_mutable(const FunctionDecl& function) {
  for (const FieldDecl* field : members_mentioned(function))
    if (field->isMutable()) return true;
  return false;
}

}  // namespace

bool ArgumentPlan::is_member(const std::string& name) const {
  const CXXMethodDecl* method = on_object(function_);
  if (!method || parameter_named(name)) return false;
  return has_member(*method->getParent(), function_.getASTContext().Idents.get(name));
}

// As the function's body has it.
std::string ArgumentPlan::own_name(const std::string& member) const {
  return (is_member(member.substr(0, member.find_first_of(".["))) ? "" : "this->") + member;
}

std::optional<unsigned> ArgumentPlan::object_of_self() {
  if (!arguments_.self) add_self(false);
  return arguments_.self;
}

std::string ArgumentPlan::add_self(bool whole) {
  const CXXMethodDecl* method = on_object(function_);
  if (!method) return "has no object";
  const CXXRecordDecl& record = *method->getParent();
  if (record.isUnion()) return "is called on a union";
  if (record.getNumVBases() > 0) return "is called on an object with virtual base classes";
  if (whole && record.isPolymorphic()) return "uses its object as a whole, which has virtual functions";
  const ASTContext& context = function_.getASTContext();
  const QualType type = context.getTypeDeclType(&record).getCanonicalType();
  ObjectLayout layout = own_object_layout(record, context);
  Parameter self;
  self.name = "this";
  self.type = spelled_type(type);
  compose(self);
  DatumFacts facts;
  facts.role_by_rule = true;
  ArgumentObject object;
  object.content = add_datum(std::move(self), std::move(facts), "this");
  object.constant = method->isConst() && layout.element.size <= kLargestObject && !mentions_mutable(function_);
  object.memory = object.constant ? ArgumentObject::Memory::own : ArgumentObject::Memory::slot;
  object.size = layout.element.size;
  object.alignment = layout.element.alignment;
  objects_.push_back({type, std::move(layout), "this", object.constant, {}, !whole});
  arguments_.objects.push_back(std::move(object));
  arguments_.self = static_cast<unsigned>(objects_.size() - 1);
  spec_.built = true;
  return "";
}

}  // namespace hone::frontend
