// The arrays that a function is given: behind its pointers, in containers, and behind members of its arguments.
//
// Borrows the AST and the paths by which clauses call members.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <clang/AST/Type.h>

#include "tool/frontend/infer/object_paths.h"

namespace hone::frontend {

// Elements in a row that the function is given.
struct Array {
  std::string path;
  clang::QualType element;
  bool container = false;
  bool constant = false;
};

class GivenArrays {
 public:
  GivenArrays(const clang::FunctionDecl& function, const ObjectPaths& objects)
      : function_(function), objects_(objects) {}

  const Array* behind_pointer(const std::string& path, clang::QualType element);
  const Array* in_container(const std::string& path, clang::QualType type);  // null: it is none
  // The array that a member is, or points to; null: it is none, or clauses have no name for it.
  const Array* of_member(const clang::Expr& expression);
  // What `x[i]`, `x.data()` and `x.begin()` are called on.
  const Array* of_container(const clang::Expr& container);

 private:
  const clang::FunctionDecl& function_;
  const ObjectPaths& objects_;
  std::map<std::string, std::unique_ptr<Array>> arrays_;  // by path
};

}  // namespace hone::frontend
