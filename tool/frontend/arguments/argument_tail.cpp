// Arrays at an object's end that are longer than declared: `struct plan { int n; float tw[1]; }`, allocated with room
// for n of them.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>

#include "tool/frontend/arguments/argument_plan.h"
#include "tool/model/harness_data.h"

namespace hone::frontend {

using namespace clang;

// Of an object that somebody allocated: it is reached by a pointer or a reference.
bool ArgumentPlan::may_be_longer(unsigned object, const Leaf& leaf) const {
  const Object& known = objects_[object];
  const auto* array = function_.getASTContext().getAsConstantArrayType(leaf.type);
  if (array && array->getSize().getZExtValue() > 1) return false;
  if (arguments_.objects[object].memory == ArgumentObject::Memory::variable) return false;
  const auto parameter = parameter_named(known.path);
  if (parameter && !declared(*parameter)->getType()->isPointerType() &&
      !declared(*parameter)->getType()->isReferenceType())
    return false;
  const auto behind = [&](std::size_t offset) { return offset > leaf.offset; };
  const std::size_t end =
      leaf.offset + (array ? function_.getASTContext().getTypeSizeInChars(leaf.type).getQuantity() : 0);
  return std::ranges::none_of(known.layout.leaves, behind, &Leaf::offset) &&
         std::ranges::none_of(known.layout.element.fields, [&](const Field& field) { return field.offset >= end; });
}

ArgumentPlan::Room ArgumentPlan::open(unsigned datum) {
  const unsigned object = *facts_[datum].ends;
  ArgumentObject& made = arguments_.objects[object];
  const auto step = std::ranges::find(made.steps, datum, &ArgumentStep::datum);
  step->open = true;
  Parameter room;
  room.name = std::string(kMemoryOf) + objects_[object].path;
  room.type = "void *";
  room.pointer = true;
  room.role = Role::out;
  const auto unit = std::min<std::size_t>(made.alignment, sizeof(std::uint64_t));
  room.element = number({ScalarKind::unsigned_integer, static_cast<unsigned>(unit)});
  room.element.alignment = made.alignment;
  DatumFacts facts;
  facts.constant = false;
  facts.role_by_rule = true;
  const std::string name = room.name;
  const Room all{add_datum(std::move(room), std::move(facts), name), step->offset, made.size, unit};
  made.room = all.datum;
  return all;
}

}  // namespace hone::frontend
