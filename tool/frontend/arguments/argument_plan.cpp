#include "tool/frontend/arguments/argument_plan.h"

#include <clang/AST/ASTContext.h>
#include <clang/AST/DeclCXX.h>

#include "tool/frontend/arguments/container_type.h"
#include "tool/frontend/arguments/number_datum.h"
#include "tool/frontend/arguments/parameter_type.h"
#include "tool/frontend/parse/device_code.h"
#include "tool/frontend/parse/template_parameter.h"

namespace hone::frontend {

using namespace clang;

ArgumentPlan::ArgumentPlan(const FunctionDecl& function, unsigned first, KernelSpec& spec, Arguments& arguments)
    : function_(function), first_(first), spec_(spec), arguments_(arguments) {}

const ParmVarDecl* ArgumentPlan::declared(unsigned datum) const {
  return datum + first_ < function_.getNumParams() ? function_.getParamDecl(datum + first_) : nullptr;
}

bool ArgumentPlan::is_pointer(unsigned parameter) const {
  return declared(parameter) && declared(parameter)->getType()->isPointerType();
}

std::optional<unsigned> ArgumentPlan::parameter_named(const std::string& name) const {
  for (unsigned i = 0; i < spec_.parameters.size() && declared(i); ++i)
    if (spec_.parameters[i].name == name && !name.empty()) return i;
  return std::nullopt;
}

ElementType ArgumentPlan::number(const ScalarType& type) const {
  return number_element(type, !function_.getASTContext().getLangOpts().CPlusPlus);
}

std::string ArgumentPlan::spelled_type(QualType type) const {
  return type.getAsString(function_.getASTContext().getPrintingPolicy());
}

unsigned ArgumentPlan::add_datum(Parameter parameter, DatumFacts facts, const std::string& path) {
  spec_.parameters.push_back(std::move(parameter));
  facts_.push_back(std::move(facts));
  const auto index = static_cast<unsigned>(spec_.parameters.size() - 1);
  data_[path] = index;
  return index;
}

// "" or the reason; of arrays of arrays the innermost element.
std::string ArgumentPlan::describe_elements(QualType element, Parameter& parameter, DatumFacts& facts) const {
  const ASTContext& context = function_.getASTContext();
  while (const auto* array = context.getAsConstantArrayType(element)) {
    facts.inner.push_back(std::to_string(array->getSize().getZExtValue()));
    element = array->getElementType();
  }
  facts.constant = facts.constant || element.isConstQualified();
  if (element->isVoidType()) return "does not say what it points to";
  if (element->isFunctionType()) return "is a pointer to a function, which no clause describes";
  if (element->isAnyPointerType()) return "is a pointer to pointers, which no clause describes";
  if (element.isVolatileQualified()) return "points to volatile data, which no clause describes";
  auto layout = element_layout(element.getUnqualifiedType(), context);
  if (auto* why = std::get_if<std::string>(&layout))
    return "points to data that " + *why + ", which no clause describes";
  parameter.element = std::get<ElementType>(std::move(layout));
  parameter.pointer = true;
  return "";
}

std::string ArgumentPlan::add_plain(const ParmVarDecl& declared) {
  const QualType type = declared.getType().getCanonicalType().getUnqualifiedType();
  const bool reference = type->isReferenceType();
  const bool bare = reference && first_ == 0;  // a workload takes none
  ParameterType plain = parameter_type(declared, bare ? type.getNonReferenceType().getUnqualifiedType() : type);
  spec_.built |= bare;
  DatumFacts facts;
  facts.constant = plain.constant;
  facts.inner = std::move(plain.inner);
  if (type->isPointerType()) facts.pointer = &declared;
  plain.parameter.type = spelled_type(type);
  const std::string name = plain.parameter.name;
  add_datum(std::move(plain.parameter), std::move(facts), name);
  return plain.flaw;
}

std::string ArgumentPlan::add(const ParmVarDecl& declared) {
  const QualType type = declared.getType().getCanonicalType().getUnqualifiedType();
  const bool reference = type->isReferenceType(), pointer = type->isPointerType();
  QualType whole = pointer ? type->getPointeeType() : type.getNonReferenceType();
  const bool constant = whole.isConstQualified() || (!pointer && !reference);
  whole = whole.getUnqualifiedType();
  const bool record = whole->isRecordType() && !small_float(whole) && !is_stream(type);
  const bool several = record || (!pointer && whole->isAnyComplexType()) || (reference && whole->isArrayType());

  Parameter described;
  described.name = declared.getNameAsString();
  described.type = spelled_type(type);
  DatumFacts facts;
  facts.constant = constant;
  if (pointer) facts.pointer = &declared;
  const auto refused = [&](std::string why) {
    add_datum(described, facts, described.name);
    return why;
  };
  if (reference && whole->isPointerType()) return refused("is a reference to a pointer, which no clause describes");
  if (pointer && whole->isPointerType() && !is_stream(type)) {
    std::string why = describe_rows(whole, described, facts);
    if (!why.empty()) return refused(std::move(why));
    const std::string name = described.name;
    add_datum(std::move(described), std::move(facts), name);
    return "";
  }
  if (!several && (!reference || constant)) return add_plain(declared);
  if (whole->isIncompleteType())
    return refused(std::string(pointer ? "points to data that " : "") +
                   "is an incomplete type, which no clause describes");
  const auto container = record ? container_type(whole) : std::nullopt;
  if (container && container->kind != ContainerType::Kind::array) {
    const unsigned index = add_datum(described, facts, described.name);
    const unsigned object = add_object(whole, {}, described.name);
    arguments_.object_of[index] = object;
    return add_container(object, objects_[object].layout.leaves.front(), described, true, index);
  }
  return add_single(declared, std::move(described), std::move(facts));
}

// One of something, or a row of known length: by value, by reference or by pointer.
std::string ArgumentPlan::add_single(const ParmVarDecl& declared, Parameter described, DatumFacts facts) {
  const ASTContext& context = function_.getASTContext();
  const QualType type = declared.getType().getCanonicalType().getUnqualifiedType();
  const bool pointer = type->isPointerType();
  const QualType whole = (pointer ? type->getPointeeType() : type.getNonReferenceType()).getUnqualifiedType();
  const auto container = pointer ? std::nullopt : container_type(whole);
  const auto* array = pointer ? nullptr : context.getAsConstantArrayType(whole);
  if (whole->isArrayType() && !array) {
    add_datum(described, facts, described.name);
    return "is an array of unknown length, which no clause describes";
  }
  Parameter plain = described;
  DatumFacts plain_facts = facts;
  plain_facts.role_by_rule = !pointer && !container && !array;
  const std::string why = describe_elements(container ? container->element
                                            : array   ? array->getElementType()
                                                      : whole,
                                            plain, plain_facts);
  if (!why.empty()) {
    described.pointer = pointer;
    const unsigned index = add_datum(described, facts, described.name);
    return !container && object_of_parameter(index) ? "" : why;
  }
  if (!pointer) {
    const std::uint64_t length = container ? *container->length : array ? array->getSize().getZExtValue() : 1;
    plain_facts.declared = {std::to_string(length)};
    plain_facts.declared.insert(plain_facts.declared.end(), plain_facts.inner.begin(), plain_facts.inner.end());
  }
  if (plain_facts.role_by_rule) plain.role = plain_facts.constant ? Role::in : Role::inout;
  spec_.built |= !pointer;
  const std::string name = plain.name;
  add_datum(std::move(plain), std::move(plain_facts), name);
  return "";
}

std::optional<unsigned> ArgumentPlan::known(const std::string& path) const {
  const auto found = data_.find(path);
  return found == data_.end() ? std::nullopt : std::optional(found->second);
}

ArgumentPlan::Datum ArgumentPlan::array(const std::string& path) {
  if (const auto datum = known(path); datum && !(spec_.parameters[*datum].composed && path == "this")) return *datum;
  Found found = find(path);
  if (auto* why = std::get_if<std::string>(&found)) return std::move(*why);
  return array_of(std::get<Place>(found), path);
}

ArgumentPlan::Datum ArgumentPlan::scalar(const std::string& path) {
  if (const auto datum = known(path)) return *datum;
  if (path.find('[') != std::string::npos) return element_of(path);
  if (path.find('-') != std::string::npos && path.find("->") == std::string::npos) return pointer_pair(path);
  Found found = find(path);
  if (auto* why = std::get_if<std::string>(&found)) return std::move(*why);
  return scalar_of(std::get<Place>(found), path);
}

ArgumentPlan::Datum ArgumentPlan::drawn(const std::string& path) {
  if (const auto datum = known(path)) return *datum;
  Found found = find(path);
  if (auto* why = std::get_if<std::string>(&found)) return std::move(*why);
  const Place& place = std::get<Place>(found);
  return field_of(place.object, place.member) ? scalar_of(place, path) : array_of(place, path);
}

}  // namespace hone::frontend
