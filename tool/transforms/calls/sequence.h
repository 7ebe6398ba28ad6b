// What two iterators stand for: elements of an array or a container, by their number.
//
//   x + lo, x + n   →   x[lo + i], of which there are n - lo
//   v.begin()       →   v[i]
//
// Contract: only what nothing changes while the elements are walked over. Pure. Borrows the AST.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/calls/stable_value.h"

namespace hone::frontend {

// Without parentheses and what the compiler adds.
const clang::Expr* as_spelled(const clang::Expr* expression);

// The element type of containers with operator[] whose iterators count as its indices do.
std::optional<clang::QualType> element_of_container(const clang::ASTContext& ast, clang::QualType type);

struct Sequence {
  const clang::ValueDecl* base = nullptr;   // the pointer, array or container
  std::vector<const clang::Expr*> offsets;  // added up: where the iterator stands
  bool at_end = false;                      // and so many elements further as the container has
  clang::QualType element;
  bool container = false;  // its iterators come from begin()

  std::string at(const clang::ASTContext& ast, const std::string& index) const;
  std::string iterator(const clang::ASTContext& ast, const std::string& index) const;
};

std::optional<Sequence> sequence_at(const KernelContext& context, const StableValues& stable,
                                    const clang::Expr* iterator);

struct Count {
  std::string text;
  std::string type;  // of a counter that goes up to it
};

// From one to the other; nullopt: they are of two arrays.
std::optional<Count> count_between(const clang::ASTContext& ast, const Sequence& first, const Sequence& last);

}  // namespace hone::frontend
