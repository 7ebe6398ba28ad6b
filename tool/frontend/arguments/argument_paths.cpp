#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <algorithm>

#include "tool/frontend/arguments/argument_plan.h"
#include "tool/frontend/arguments/clause_text.h"
#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/arguments/number_datum.h"
#include "tool/frontend/arguments/parameter_type.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {

using namespace clang;
using Kind = ArgumentStep::Kind;
using Memory = ArgumentObject::Memory;

ArgumentPlan::Found ArgumentPlan::root_of(const std::vector<std::string>& tokens, std::size_t& at) {
  if (tokens.empty() || (!is_identifier(tokens[0]) && tokens[0] != "::")) return std::string("is no name");
  if (tokens[0] == "this")
    if (const auto self = object_of_self()) return at = 1, Place{*self, "", ""};
  if (const auto parameter = parameter_named(tokens[0])) {
    const bool pointer = is_pointer(*parameter);
    if (tokens.size() > 1 && (tokens[1] == "->") != pointer)
      return "is written '" + tokens[0] + (pointer ? "->" : ".") + (tokens.size() > 2 ? tokens[2] : "") + "', as '" +
             tokens[0] + (pointer ? "' is a pointer" : "' is no pointer");
    if (const auto object = object_of_parameter(*parameter)) return at = 1, Place{*object, "", ""};
    return std::string("names a member of what has none");
  }
  if (is_member(tokens[0]))
    if (const auto self = object_of_self()) return at = 1, Place{*self, tokens[0], ""};
  if (first_ > 0) {  // a workload says what variables hold
    const VarDecl* variable = find_variable(function_, tokens, at);
    if (variable && is_changeable(*variable))
      return "is a variable that other code can change; set it in '" + function_.getNameAsString() + "'";
  }
  if (const auto object = object_of_variable(tokens, at)) return Place{*object, "", ""};
  return std::string();
}

ArgumentPlan::Found ArgumentPlan::find(const std::string& path) {
  const std::vector<std::string> tokens = words_of(path);
  std::size_t at = 0;
  Found root = root_of(tokens, at);
  if (std::holds_alternative<std::string>(root)) return root;
  Place place = std::get<Place>(root);
  std::string so_far;
  for (std::size_t i = 0; i < at; ++i) so_far += tokens[i];
  for (bool first = true; at < tokens.size(); first = false) {
    const std::string step = tokens[at++];
    if (at >= tokens.size()) return "ends behind '" + step + "'";
    const std::string name = tokens[at++];
    if (at < tokens.size() && tokens[at] == "(") {
      place.call = name;
      for (; at < tokens.size(); ++at) place.call += tokens[at];
      return place;
    }
    const bool variable = arguments_.objects[place.object].memory == Memory::variable;
    if (step == "->" && (!first || variable || !place.member.empty())) {
      if (std::string why = step_through(place, so_far); !why.empty()) return why;
      place.member = name;
    } else {
      place.member += (place.member.empty() ? "" : ".") + name;
    }
    so_far += step + name;
  }
  return place;
}

// The datum for what a member that is a pointer leads to: its role follows from what clauses say of its parts.
unsigned ArgumentPlan::add_content(const std::string& path, QualType pointer, bool constant) {
  Parameter content;
  content.name = path;
  content.type = spelled_type(pointer);
  compose(content);
  DatumFacts facts;
  facts.role_by_rule = true;
  facts.constant = constant;
  return add_datum(std::move(content), std::move(facts), path);
}

// To what a pointer that is a member points to: one object of a class. "" or why there is none.
std::string ArgumentPlan::step_through(Place& place, const std::string& so_far) {
  const Leaf* leaf = leaf_of(place.object, place.member);
  if (!leaf || leaf->kind != Leaf::Kind::pointer) return "follows '" + so_far + "', which is no pointer";
  if (const auto known = data_.find(so_far); known != data_.end() && !spec_.parameters[known->second].composed)
    return "follows '" + so_far + "', which is an array";
  const auto before = std::ranges::find(objects_, so_far, &Object::path);
  if (before != objects_.end() && &*before != &objects_[place.object])
    return place = {static_cast<unsigned>(before - objects_.begin()), "", ""}, "";
  const QualType whole = leaf->type->getPointeeType();
  if (!whole->isRecordType() || whole->isIncompleteType()) return "follows '" + so_far + "', which is no class";
  const std::size_t offset = leaf->offset;
  objects_[place.object].taken.insert(leaf);
  ArgumentObject object;
  object.content = add_content(so_far, leaf->type, whole.isConstQualified());
  object.constant = whole.isConstQualified();
  object.memory = object.constant ? Memory::own : Memory::slot;
  const unsigned inner = add_object(whole.getUnqualifiedType(), std::move(object), so_far);
  ArgumentStep write;
  write.kind = Kind::address;
  write.offset = offset;
  write.object = inner;
  arguments_.objects[place.object].steps.push_back(std::move(write));
  place = {inner, "", ""};
  return "";
}

// `own`: the container is a parameter of the function, and the datum stands for it.
std::string ArgumentPlan::add_container(unsigned object, const Leaf& leaf, Parameter parameter, bool own,
                                        unsigned datum) {
  const std::optional<ContainerType> container = container_type(leaf.type);
  const bool vector = container->kind == ContainerType::Kind::vector;
  DatumFacts& facts = facts_[datum];
  facts.constant = container->constant || (vector && (own ? facts.constant : objects_[object].constant));
  ArgumentStep step;
  step.kind = vector ? Kind::vector : container->kind == ContainerType::Kind::array ? Kind::array : Kind::view;
  step.offset = leaf.offset;
  step.datum = datum;
  step.type = spelled(leaf.type, function_.getASTContext());
  step.data = container->data;
  const bool constant = facts.constant;
  const std::string why = describe_elements(container->element, parameter, facts);
  facts.constant = constant;
  if (!why.empty()) return why + advice_on_arguments(function_);
  if (step.kind == Kind::array) {
    facts.declared = {std::to_string(*container->length)};
    facts.declared.insert(facts.declared.end(), facts.inner.begin(), facts.inner.end());
    step.bytes = parameter.element.size * *container->length;
    for (const std::string& inner : facts.inner) step.bytes *= std::stoull(inner);
  } else {
    const auto root = parameter_named(parameter.name);
    facts.size = parameter.name + (root && is_pointer(*root) ? "->size()" : ".size()");
  }
  spec_.parameters[datum] = std::move(parameter);
  objects_[object].taken.insert(&leaf);
  arguments_.objects[object].steps.push_back(std::move(step));
  return "";
}

ArgumentPlan::Datum ArgumentPlan::array_of(const Place& place, const std::string& path) {
  if (!place.call.empty()) return "calls '" + place.call + "', which is no array";
  if (const Leaf* leaf = leaf_of(place.object, place.member)) return leaf_as_array(place, *leaf, path);
  if (const Field* field = field_of(place.object, place.member)) return number_as_array(place, *field, path);
  return "names no member that holds numbers or points to some";
}

ArgumentPlan::Datum ArgumentPlan::number_as_array(const Place& place, const Field& field, const std::string& path) {
  Parameter parameter;
  parameter.name = path;
  parameter.element = number(field.type);
  parameter.type = parameter.element.spelling;
  parameter.pointer = true;
  DatumFacts facts;
  facts.constant = objects_[place.object].constant;
  facts.number = true;
  facts.declared = {"1"};
  ArgumentStep step;
  step.kind = Kind::array;
  step.offset = field.offset;
  step.bytes = field.type.size;
  step.datum = add_datum(std::move(parameter), std::move(facts), path);
  arguments_.objects[place.object].steps.push_back(step);
  return step.datum;
}

ArgumentPlan::Datum ArgumentPlan::leaf_as_array(const Place& place, const Leaf& leaf, const std::string& path) {
  if (leaf.kind == Leaf::Kind::other)
    return std::string("is of a type that no clause describes") + advice_on_arguments(function_);
  Parameter parameter;
  parameter.name = path;
  parameter.type = spelled_type(leaf.type);
  DatumFacts facts;
  facts.constant = objects_[place.object].constant;
  if (leaf.kind == Leaf::Kind::container) {
    const unsigned datum = add_datum(parameter, facts, path);
    std::string why = add_container(place.object, leaf, std::move(parameter), false, datum);
    if (why.empty()) return datum;
    data_.erase(path);
    return why;
  }
  const ASTContext& context = function_.getASTContext();
  ArgumentStep step;
  step.offset = leaf.offset;
  if (leaf.kind == Leaf::Kind::array) {
    const auto* array = context.getAsArrayType(leaf.type);
    const auto* known = context.getAsConstantArrayType(leaf.type);
    step.kind = Kind::array;
    if (known) step.bytes = static_cast<std::size_t>(context.getTypeSizeInChars(leaf.type).getQuantity());
    if (std::string why = describe_elements(array->getElementType(), parameter, facts); !why.empty())
      return why + advice_on_arguments(function_);
    if (known) facts.declared = {std::to_string(known->getSize().getZExtValue())};
    if (known) facts.declared.insert(facts.declared.end(), facts.inner.begin(), facts.inner.end());
    if (may_be_longer(place.object, leaf)) facts.ends = place.object;
  } else {
    step.kind = Kind::pointer;
    facts.pointer = leaf.field;
    facts.constant = false;  // what a const object points to may be written
    if (const QualType pointers = leaf.type->getPointeeType(); pointers->isPointerType()) {
      if (std::string why = describe_rows(pointers, parameter, facts); !why.empty())
        return why + advice_on_arguments(function_);
      objects_[place.object].taken.insert(&leaf);
      const unsigned rows = add_datum(std::move(parameter), std::move(facts), path);
      step.datum = add_table(rows);
      arguments_.objects[place.object].steps.push_back(step);
      return rows;
    }
    if (std::string why = describe_elements(leaf.type->getPointeeType(), parameter, facts); !why.empty())
      return why + advice_on_arguments(function_);
  }
  step.type = parameter.element.spelling;
  objects_[place.object].taken.insert(&leaf);
  step.datum = add_datum(std::move(parameter), std::move(facts), path);
  arguments_.objects[place.object].steps.push_back(step);
  return step.datum;
}

// A number that clauses name and the harness makes or puts somewhere.
unsigned ArgumentPlan::add_number(const std::string& path, ElementType element) {
  Parameter parameter;
  parameter.name = path;
  parameter.element = std::move(element);
  parameter.type = parameter.element.spelling;
  const std::string type = parameter.type;
  const unsigned datum = add_datum(std::move(parameter), {}, path);
  arguments_.types[datum] = type;
  arguments_.names.push_back({words_of(path), datum, ""});
  return datum;
}

ArgumentPlan::Datum ArgumentPlan::scalar_of(const Place& place, const std::string& path) {
  const Leaf* leaf = leaf_of(place.object, place.member);
  if (!place.call.empty()) {
    const bool container = leaf && leaf->kind == Leaf::Kind::container;
    const bool size = place.call == "size()" || place.call == "length()" || place.call.starts_with("extent(");
    if (!container || !size)
      return "calls '" + place.call + "'; of calls a clause knows size() and extent(k) of containers";
    return add_number(path, number({ScalarKind::unsigned_integer, 8}));
  }
  const Field* field = field_of(place.object, place.member);
  if (!field) return leaf ? "is no scalar" : "names no member that is a number";
  ArgumentStep step;
  step.offset = field->offset;
  step.bytes = field->type.size;
  step.datum = add_number(path, number(field->type));
  const auto& enumerators = objects_[place.object].layout.enumerators;
  if (const auto found = enumerators.find(field->name); found != enumerators.end())
    spec_.parameters[step.datum].enumerators = found->second;
  arguments_.objects[place.object].steps.push_back(step);
  return step.datum;
}

// last-first: two pointers into one array. From then on the last is made of the first.
ArgumentPlan::Datum ArgumentPlan::pointer_pair(const std::string& path) {
  const std::vector<std::string> tokens = words_of(path);
  const auto last = tokens.size() == 3 ? parameter_named(tokens[0]) : std::nullopt;
  const auto first = tokens.size() == 3 ? parameter_named(tokens[2]) : std::nullopt;
  if (!last || !first || !spec_.parameters[*last].pointer || !spec_.parameters[*first].pointer || !is_pointer(*last) ||
      !is_pointer(*first))
    return "is no distance between two pointers that are parameters, as in last-first";
  compose(spec_.parameters[*last]);
  const unsigned datum = add_number(path, number({ScalarKind::signed_integer, 8}));
  arguments_.pairs.push_back({*last, *first, datum});
  spec_.built = true;
  return datum;
}

// rows[n], a.rows[a.n]: the problem says how large it is, and the array is drawn so that none of its elements is
// larger.
ArgumentPlan::Datum ArgumentPlan::element_of(const std::string& path) {
  const std::string whole = path.substr(0, path.find('[')), root = words_of(whole).front();
  const bool known_root = parameter_named(root) || root == "this" || is_member(root);
  const Datum found = known_root ? array(whole) : std::string();
  if (const auto* flaw = std::get_if<std::string>(&found); flaw && !flaw->empty()) return *flaw;
  const unsigned* index = std::get_if<unsigned>(&found);
  const auto* fields = index ? &spec_.parameters[*index].element.fields : nullptr;
  const bool single = index && !facts_[*index].rows && facts_[*index].inner.empty();
  if (!single || !spec_.parameters[*index].pointer || fields->size() != 1 ||
      fields->front().type.kind == ScalarKind::floating)
    return "is no element of an array of integers that is a parameter or a member of one";
  const unsigned datum = add_number(path, number(fields->front().type));
  bounds_.emplace(*index, path);
  spec_.built = true;
  return datum;
}

}  // namespace hone::frontend
