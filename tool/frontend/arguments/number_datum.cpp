#include "tool/frontend/arguments/number_datum.h"

namespace hone::frontend {
namespace {

const char* floating_name(const ScalarType& type) {
  if (type.size == 2) return type.brain ? "__bf16" : "_Float16";
  return type.size == 4 ? "float" : type.size == 8 ? "double" : "long double";
}

const char* integer_name(const ScalarType& type) {
  const bool is_signed = type.kind == ScalarKind::signed_integer;
  switch (type.size) {
    case 1:
      return is_signed ? "signed char" : "unsigned char";
    case 2:
      return is_signed ? "short" : "unsigned short";
    case 4:
      return is_signed ? "int" : "unsigned int";
    default:
      return is_signed ? "long long" : "unsigned long long";
  }
}

}  // namespace

ElementType number_element(const ScalarType& type, bool c) {
  const char* name = type.kind == ScalarKind::boolean    ? (c ? "_Bool" : "bool")
                     : type.kind == ScalarKind::floating ? floating_name(type)
                                                         : integer_name(type);
  return {name, type.size, type.size, {{"", type, 0, 1}}};
}

void compose(Parameter& parameter) {
  parameter.composed = true;
  parameter.pointer = false;
  parameter.element = number_element({ScalarKind::unsigned_integer, 1}, false);
}

}  // namespace hone::frontend
