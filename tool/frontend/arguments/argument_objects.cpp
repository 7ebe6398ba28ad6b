#include "tool/frontend/arguments/argument_plan.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include <algorithm>
#include <cstdint>

#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/arguments/file_variable.h"
#include "tool/frontend/arguments/member_uses.h"
#include "tool/frontend/arguments/number_datum.h"
#include "tool/frontend/arguments/parameter_type.h"

namespace hone::frontend {

using namespace clang;
using Kind = ArgumentStep::Kind;

namespace {

// void, functions, and what a library keeps to itself, as FILE.
bool leads_to_no_data(QualType pointee) {
  const RecordDecl* record = pointee->getAsRecordDecl();
  return pointee->isVoidType() || pointee->isFunctionType() ||
         (record && (!record->getDefinition() || record->getNameAsString() == "_IO_FILE"));
}

// "" where a clause can say what the member holds; else the member, as "'m' of type 'std::map<int, int>'".
std::string why_not_said(const Leaf& leaf, const std::string& path, const ASTContext& context) {
  const FieldDecl& field = *leaf.field;
  const std::string type = " of type '" + field.getType().getAsString(context.getPrintingPolicy()) + "'";
  if (leaf.kind == Leaf::Kind::container) {
    const auto held = element_layout(container_type(leaf.type)->element, context);
    const auto* why = std::get_if<std::string>(&held);
    return why ? "'" + path + "'" + type + ", whose element " + *why : "";
  }
  const bool untyped = leaf.kind == Leaf::Kind::pointer && leads_to_no_data(leaf.type->getPointeeType());
  if (leaf.kind != Leaf::Kind::other && !untyped) return "";
  if (field.isBitField()) return "the bit-field '" + path + "'";
  return (field.getDeclName() ? "'" + path + "'" : "a member without a name") + type;
}

// A clause that would say it: of an object behind the pointer, the first member that the function uses.
std::string example_of(const Leaf& leaf, const std::string& path, const std::set<const FieldDecl*>& mentioned) {
  const RecordDecl* record =
      leaf.kind == Leaf::Kind::pointer ? leaf.type->getPointeeType()->getAsRecordDecl() : nullptr;
  if (record && record->getDefinition())
    for (const FieldDecl* field : record->getDefinition()->fields())
      if (mentioned.contains(field))
        return "inout(" + path + "->" + field->getNameAsString() + (field->getType()->isPointerType() ? "[0:n])" : ")");
  return "inout(" + path + "[0:n])";
}

// That hold nothing but the member; of a bit-field also its neighbors.
std::size_t own_bytes(const FieldDecl& field) {
  const ASTContext& context = field.getASTContext();
  if (field.isBitField()) {
    const std::uint64_t first = context.getFieldOffset(&field) % 8;
    return (first + field.getBitWidthValue(context) + 7) / 8;
  }
  const CXXRecordDecl* record = field.getType()->getAsCXXRecordDecl();
  if (field.isPotentiallyOverlapping() || (record && record->isEmpty())) return 0;
  return static_cast<std::size_t>(context.getTypeSizeInChars(field.getType()).getQuantity());
}

}  // namespace

unsigned ArgumentPlan::add_object(QualType type, ArgumentObject object, const std::string& path) {
  ObjectLayout layout = object_layout(type, function_.getASTContext());
  object.size = layout.element.size;
  object.alignment = layout.element.alignment;
  objects_.push_back({type, std::move(layout), path, object.constant, {}, false});
  arguments_.objects.push_back(std::move(object));
  spec_.built = true;
  return static_cast<unsigned>(objects_.size() - 1);
}

// A parameter of class type, or one that points to a class, is put together of members from the first time that a
// clause names one.
std::optional<unsigned> ArgumentPlan::object_of_parameter(unsigned parameter) {
  if (const auto found = arguments_.object_of.find(parameter); found != arguments_.object_of.end())
    return found->second;
  if (!declared(parameter)) return std::nullopt;
  const QualType type = declared(parameter)->getType().getCanonicalType();
  const bool value = !type->isReferenceType() && !type->isPointerType();
  QualType whole = type.getNonReferenceType();
  if (whole->isPointerType()) whole = whole->getPointeeType();
  if (!is_walkable(whole)) return std::nullopt;
  ArgumentObject object;
  object.content = parameter;
  object.constant = !value && whole.isConstQualified();
  object.memory = value || object.constant ? ArgumentObject::Memory::own : ArgumentObject::Memory::slot;
  facts_[parameter].role_by_rule = true;
  if (spec_.parameters[parameter].element.fields.empty()) compose(spec_.parameters[parameter]);
  const unsigned made = add_object(whole.getUnqualifiedType(), std::move(object), spec_.parameters[parameter].name);
  return arguments_.object_of[parameter] = made;
}

std::optional<unsigned> ArgumentPlan::object_of_variable(const std::vector<std::string>& tokens, std::size_t& at) {
  const VarDecl* variable = find_variable(function_, tokens, at);
  if (!variable || !is_changeable(*variable)) return std::nullopt;
  if (const auto found = variables_.find(variable->getCanonicalDecl()); found != variables_.end()) return found->second;
  ArgumentObject object;
  object.memory = ArgumentObject::Memory::variable;
  object.name = variable->getQualifiedNameAsString();
  object.variable = name_from_outside(*variable);
  if (std::string definition = missing_definition(*variable); !definition.empty())
    arguments_.definitions.push_back(std::move(definition));
  const std::string path = object.name;
  const QualType type = variable->getType().getCanonicalType().getUnqualifiedType();
  return variables_[variable->getCanonicalDecl()] = add_object(type, std::move(object), path);
}

const Leaf* ArgumentPlan::leaf_of(unsigned object, const std::string& member) const {
  const auto& leaves = objects_[object].layout.leaves;
  const auto found = std::ranges::find(leaves, member, &Leaf::name);
  return found == leaves.end() ? nullptr : &*found;
}

const Field* ArgumentPlan::field_of(unsigned object, const std::string& member) const {
  const auto& fields = objects_[object].layout.element.fields;
  const auto found = std::ranges::find_if(fields, [&](const Field& f) { return f.name == member && f.count == 1; });
  return found == fields.end() ? nullptr : &*found;
}

// A number among others would be drawn as one; an enumeration has few values.
void ArgumentPlan::promote_enumerations(unsigned object) {
  for (const auto& [name, values] : objects_[object].layout.enumerators) {
    const Field* field = field_of(object, name);
    if (!field) continue;
    const bool written = std::ranges::any_of(arguments_.objects[object].steps, [&](const ArgumentStep& step) {
      return step.offset == field->offset && step.kind != Kind::address;
    });
    const std::string& path = objects_[object].path;
    if (!written) scalar_of({object, name, ""}, path == "this" ? own_name(name) : path + "'s " + name);
  }
}

// What no step writes is drawn as a whole; of an object that the call may write, all is compared.
void ArgumentPlan::settle(unsigned object) {
  ArgumentObject& made = arguments_.objects[object];
  Object& known = objects_[object];
  const bool variable = made.memory == ArgumentObject::Memory::variable;
  const bool is_shared = made.memory == ArgumentObject::Memory::slot || (variable && !made.constant);
  ElementType element = known.layout.element;
  std::erase_if(element.fields, [&](const Field& field) {
    return std::ranges::any_of(made.steps, [&](const ArgumentStep& step) {
      const bool covers = step.bytes > 0 && field.offset >= step.offset && field.offset < step.offset + step.bytes;
      return covers && (step.kind == Kind::array || !is_shared);
    });
  });
  for (const Leaf& leaf : known.layout.leaves) {
    const bool untouched =
        std::ranges::any_of(made.untouched, [&](const auto& one) { return one.first == leaf.offset; });
    if (leaf.kind != Leaf::Kind::pointer || untouched) continue;
    if (!known.taken.contains(&leaf)) made.pointers.push_back(leaf.offset);
    if (is_shared && !(variable && leaf.name.empty()))
      element.fields.push_back({leaf.name, {ScalarKind::unsigned_integer, 8}, leaf.offset, 1});
  }
  if (!element.fields.empty()) return fill_content(object, std::move(element));
  if (made.content) compose(spec_.parameters[*made.content]);
  if (made.memory == ArgumentObject::Memory::slot) made.memory = ArgumentObject::Memory::own;
  made.content.reset();
}

// The numbers that no step writes are a datum: that of the parameter or the pointer, or a new one of a variable's.
void ArgumentPlan::fill_content(unsigned object, ElementType element) {
  ArgumentObject& made = arguments_.objects[object];
  const Object& known = objects_[object];
  if (!made.content) {
    if (made.memory != ArgumentObject::Memory::variable) return;  // a container
    Parameter rest;
    rest.name = known.path;
    rest.type = known.layout.element.spelling;
    made.content = add_datum(std::move(rest), {}, known.path);
  }
  Parameter& content = spec_.parameters[*made.content];
  const bool only_read = made.constant || made.memory == ArgumentObject::Memory::own;
  content.composed = false;
  content.pointer = true;
  content.element = std::move(element);
  content.role = only_read ? Role::in : Role::inout;
  facts_[*made.content].role_by_rule = true;
  facts_[*made.content].constant = only_read;
  if (content.extent.empty()) facts_[*made.content].declared = {"1"};
}

// As a clause writes it.
std::string ArgumentPlan::path_of(unsigned object, const Leaf& leaf) const {
  const std::string& path = objects_[object].path;
  if (path == "this") return own_name(leaf.name);
  if (arguments_.objects[object].many) return path + "[0:n]." + leaf.name;
  const std::optional<unsigned> parameter = parameter_named(path);
  const bool behind = path.find_first_of(".>") != std::string::npos || is_member(path);
  const bool arrow = parameter ? is_pointer(*parameter) : behind;
  return path + (arrow ? "->" : ".") + leaf.name;
}

// What the function has no name for, a variant must leave alone.
void ArgumentPlan::find_untouched(unsigned object, const std::set<const FieldDecl*>& mentioned) {
  const Object& known = objects_[object];
  auto& untouched = arguments_.objects[object].untouched;
  if (!known.by_members) return;
  for (const std::size_t table : known.layout.tables) untouched.emplace_back(table, sizeof(void*));
  for (const Leaf& leaf : known.layout.leaves) {
    if (leaf.kind == Leaf::Kind::array || leaf.numbers || known.taken.contains(&leaf) || !leaf.field ||
        mentioned.contains(leaf.field))
      continue;
    if (const std::size_t size = own_bytes(*leaf.field)) untouched.emplace_back(leaf.offset, size);
  }
}

void ArgumentPlan::find_unsaid(std::vector<std::string>& flaws) const {
  const std::set<const FieldDecl*> mentioned = members_mentioned(function_);
  for (unsigned number = 0; number < objects_.size(); ++number) {
    const Object& object = objects_[number];
    for (const Leaf& leaf : object.layout.leaves) {
      if (leaf.numbers || object.taken.contains(&leaf) || !leaf.field) continue;
      const bool copied = object.path == "this" && !object.by_members && leaf.kind != Leaf::Kind::pointer;
      if (!copied && !mentioned.contains(leaf.field)) continue;
      const std::string path = path_of(number, leaf);
      if (const std::string why = why_not_said(leaf, path, function_.getASTContext()); !why.empty())
        flaws.push_back("the function uses " + why + ", which no clause describes" + advice_on_arguments(function_));
      else
        flaws.push_back("the function uses '" + path +
                        "'; say how much it holds, and whether that is read or written, as in " +
                        example_of(leaf, path, mentioned));
    }
  }
  for (std::size_t i = 0; i < objects_.size(); ++i)
    if (objects_[i].layout.element.size > kLargestObject && arguments_.objects[i].memory == ArgumentObject::Memory::own)
      flaws.push_back("'" + objects_[i].path + "' is an object of more than 64 KiB, which no clause describes" +
                      advice_on_arguments(function_));
}

std::vector<std::string> ArgumentPlan::finish() {
  std::vector<std::string> flaws;
  find_unsaid(flaws);
  for (unsigned object = 0; object < objects_.size(); ++object)
    if (!arguments_.objects[object].many) promote_enumerations(object);
  const std::set<const FieldDecl*> mentioned = members_mentioned(function_);
  for (unsigned object = 0; object < objects_.size(); ++object) find_untouched(object, mentioned);
  for (unsigned object = 0; object < objects_.size(); ++object) settle(object);
  return flaws;
}

}  // namespace hone::frontend
