// Arrays of structs with pointers inside: `layers[0:n].w[0:k]`. The structs are one datum, compared whole after a call,
// and what all their pointers of one name point to is another, row by row.
#include <clang/AST/ASTContext.h>
#include <clang/AST/Decl.h>

#include <algorithm>

#include "tool/frontend/arguments/argument_plan.h"
#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/arguments/number_datum.h"

namespace hone::frontend {

using namespace clang;
using Kind = ArgumentStep::Kind;
using Memory = ArgumentObject::Memory;

// The number of the object that stands for all structs, or why there is none.
ArgumentPlan::Datum ArgumentPlan::structs_of(const std::string& path) {
  const auto known = std::ranges::find(objects_, path, &Object::path);
  if (known != objects_.end()) {
    const auto object = static_cast<unsigned>(known - objects_.begin());
    if (arguments_.objects[object].many) return object;
    if (!arguments_.objects[object].steps.empty() || !parameter_named(path))
      return "is one struct in another clause; say of all of them [0:n]";
  }
  if (const auto parameter = parameter_named(path)) {
    if (!is_pointer(*parameter)) return "is no pointer to structs";
    const auto object = object_of_parameter(*parameter);
    if (!object) return "points to what has no members";
    arguments_.objects[*object].many = true;
    arguments_.objects[*object].memory = Memory::slot;
    arguments_.objects[*object].constant = objects_[*object].constant = false;
    return *object;
  }
  Found found = find(path);
  if (auto* why = std::get_if<std::string>(&found)) return std::move(*why);
  return structs_behind(std::get<Place>(found), path);
}

// Of a member that points to them.
ArgumentPlan::Datum ArgumentPlan::structs_behind(const Place& place, const std::string& path) {
  const Leaf* leaf = leaf_of(place.object, place.member);
  const QualType whole = leaf && leaf->kind == Leaf::Kind::pointer ? leaf->type->getPointeeType() : QualType();
  if (whole.isNull() || !is_walkable(whole)) return "is no pointer to structs";
  objects_[place.object].taken.insert(leaf);
  ArgumentStep step;
  step.kind = Kind::address;
  step.offset = leaf->offset;
  ArgumentObject object;
  object.content = add_content(path, leaf->type, false);
  object.memory = Memory::slot;
  object.many = true;
  step.object = add_object(whole.getUnqualifiedType(), std::move(object), path);
  arguments_.objects[place.object].steps.push_back(step);
  return step.object;
}

ArgumentPlan::Datum ArgumentPlan::array_in_structs(const std::string& structs, const std::string& member) {
  const std::string path = structs + "." + member;
  if (const auto datum = known(path)) return *datum;
  Datum made = structs_of(structs);
  if (std::holds_alternative<std::string>(made)) return made;
  const unsigned object = std::get<unsigned>(made);
  const Leaf* leaf = leaf_of(object, member);
  if (!leaf || leaf->kind != Leaf::Kind::pointer) return "is no pointer in these structs";
  Parameter parameter;
  parameter.name = path;
  parameter.type = spelled_type(leaf->type);
  DatumFacts facts;
  facts.rows = true;
  facts.constant = false;
  if (std::string why = describe_elements(leaf->type->getPointeeType(), parameter, facts); !why.empty()) return why;
  objects_[object].taken.insert(leaf);
  PointerRow row;
  row.offset = leaf->offset;
  row.distance = arguments_.objects[object].size;
  row.holder = *arguments_.objects[object].content;
  row.table = false;
  row.elements = add_datum(std::move(parameter), std::move(facts), path);
  arguments_.rows.push_back(row);
  return row.elements;
}

bool ArgumentPlan::holds_elements(unsigned datum) const {
  const auto object = arguments_.object_of.find(datum);
  const bool together = object != arguments_.object_of.end() && !container_type(objects_[object->second].type);
  return spec_.parameters[datum].pointer && !together;
}

bool ArgumentPlan::is_number_in_structs(unsigned datum, const std::string& member) const {
  for (unsigned object = 0; object < objects_.size(); ++object)
    if (arguments_.objects[object].many && arguments_.objects[object].content == datum)
      return std::ranges::count(objects_[object].layout.element.fields, member, &Field::name) > 0;
  return false;
}

}  // namespace hone::frontend
