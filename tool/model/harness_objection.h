// How the harness ends a call that broke a rule: it stores to an address that says which rule, where no process has
// memory. The judge reads the address of the fault, and tells the rule from any other crash.
//
// The harness is text for C and C++ (frontend/unit/argument_text.cpp), where the addresses stand as numbers.
#pragma once

#include <cstdint>

namespace hone {

enum class HarnessObjection : std::uint64_t {
  input = 0x8001,      // a part of an object that is only read has changed
  container = 0x8002,  // a container has another size or other memory
  view = 0x8003,       // a view looks elsewhere
  untouched = 0x8004,  // something has changed that the original never touches
  rest = 0x8005,       // something has changed behind an array's elements
};

}  // namespace hone
