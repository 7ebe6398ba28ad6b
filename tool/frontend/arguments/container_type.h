// Classes that stand for elements in a row, known by rule: std::vector, std::array, and what has data() and size() and
// can be made of a pointer and lengths (std::span, std::string_view, std::mdspan and their like). Pure.
#pragma once

#include <clang/AST/Type.h>

#include <cstdint>
#include <optional>
#include <string>

namespace hone::frontend {

struct ContainerType {
  enum class Kind { vector, array, view };
  Kind kind = Kind::view;
  clang::QualType element;              // without const
  bool constant = false;                // its elements cannot be written through it
  std::optional<std::uint64_t> length;  // of an array: known
  std::string data;                     // of a view: the member function that says where they are, "data"
};

std::optional<ContainerType> container_type(clang::QualType type);

}  // namespace hone::frontend
