// What a function does with the arrays that it is given, as far as its text says so: those behind its pointer
// parameters, in containers, and behind pointers and containers that are members of its arguments. Pure.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "tool/frontend/infer/bounds.h"

namespace hone::frontend {

struct ArrayUse {
  bool container = false;  // that knows its own length
  bool constant = false;   // nothing is written through it
  bool read = false, written = false;
  bool partly = false;           // some write is conditional, or not shown to go everywhere
  std::vector<Polynomial> ends;  // behind the last element of each use
  std::string open;              // why no end can be said
};

struct ArrayAccesses {
  // By what clauses call it, "x" or "g->cells"; what the function does not use is absent.
  std::map<std::string, ArrayUse> of;
  // Those of a parameter's members, "g->w", and sizes, "x.size()", that places or ends of loops depend on.
  std::set<std::string> numbers;
  Bounds bounds;         // of the function's numbers
  unsigned deepest = 0;  // nest of loops

  const ArrayUse* find(const std::string& path) const;
};

// Calls of the file's own functions are followed.
ArrayAccesses array_accesses(const clang::FunctionDecl& function);

}  // namespace hone::frontend
