// Where a call's arguments lie: sets of regions that are mapped of the judge's memory, and what is bound to them.
//
// In the runner's process, with no C++ runtime. Each function but array_of() and bytes_of() serves the request at hand
// and answers it.
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "tool/runner/device_arguments.h"
#include "tool/runner/protocol.h"

namespace hone::runner {

// A stretch of memory that a region is.
struct Mapped {
  char* base;     // with the guard page in front
  size_t length;  // of the whole reservation
  char* memory;
  size_t bytes;
  bool writable;
};

struct Set {
  unsigned region_count;
  unsigned binding_count;
  uint32_t result_binding;
  Mapped regions[most_parameters];
  Lent lent;  // instead of memory of this process's
  Binding bindings[most_parameters];
  Scalar scalars[most_parameters];
};

extern Set sets[most_sets];

void map(const int* files);
void unmap(Set& set);  // without an answer
void bind();

char* array_of(const Set& set, unsigned parameter, unsigned slot);
size_t bytes_of(const Set& set);  // of its regions

}  // namespace hone::runner
