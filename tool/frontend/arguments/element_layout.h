// From a C++ type to the bytes behind it: what the judge needs to draw, poison and compare data of that type. Pure.
#pragma once

#include <clang/AST/Type.h>

#include <map>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "tool/model/element_type.h"

namespace clang {
class ASTContext;
class CXXRecordDecl;
class FieldDecl;
}  // namespace clang

namespace hone::frontend {

// An arithmetic type, or a plain struct of such, nested structs and arrays flattened. Else the reason why the clauses
// cannot describe it: "holds a pointer ('next')". An enum is the integer below it.
std::variant<ElementType, std::string> element_layout(clang::QualType type, const clang::ASTContext& context);

// What a class holds beside single numbers: an array of plain data, a pointer, a container (container_type.h), or
// something that no clause can speak of.
struct Leaf {
  enum class Kind { array, pointer, container, other };
  Kind kind = Kind::other;
  std::string name;  // "inner.cells"; "" where the class itself is a container
  std::size_t offset = 0;
  clang::QualType type;
  const clang::FieldDecl* field = nullptr;
  bool numbers = false;  // which are fields, too
};

// Any type, classes above all: what of it is plain data, flattened, and what is not. `element` may be without fields.
struct ObjectLayout {
  ElementType element;
  std::vector<Leaf> leaves;
  std::map<std::string, std::vector<long long>> enumerators;  // of the fields that are enumerations, by name
  std::vector<std::size_t> tables;                            // offsets of pointers to tables of virtual functions
};

ObjectLayout object_layout(clang::QualType type, const clang::ASTContext& context);
// Of the object that a member function is called on, which may have virtual functions.
ObjectLayout own_object_layout(const clang::CXXRecordDecl& record, const clang::ASTContext& context);

// CUDA's __half and __nv_bfloat16: classes to C++, numbers to everybody else.
std::optional<ScalarType> small_float(clang::QualType type);

// Can an object of the class be put together member by member? Not what has virtual functions, a union, one of CUDA's
// small numbers, nor a class of the library's that keeps to its own ways.
bool is_walkable(clang::QualType type);

}  // namespace hone::frontend
