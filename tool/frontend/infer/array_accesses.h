// What a function does with the arrays behind its pointer parameters, as far as its text says so. Pure.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tool/frontend/infer/bounds.h"

namespace hone::frontend {

// What the function does with the array behind one parameter.
struct ArrayUse {
  bool read = false, written = false;
  bool partly = false;           // some write is conditional, or not shown to go everywhere
  std::vector<Polynomial> ends;  // behind the last element of each use
  std::string open;              // why no end can be said
};

struct ArrayAccesses {
  std::map<const clang::ParmVarDecl*, ArrayUse> of;  // by parameter; those that the function does not use are absent
  Bounds bounds;                                     // of the function's numbers
  unsigned deepest = 0;                              // nest of loops

  const ArrayUse* find(const clang::ParmVarDecl& parameter) const;
};

// Calls of the file's own functions are followed.
ArrayAccesses array_accesses(const clang::FunctionDecl& function);

}  // namespace hone::frontend
