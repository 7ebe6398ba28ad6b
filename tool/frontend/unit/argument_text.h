// The harness's text that puts a kernel's arguments together out of the slots before a call, and looks at them after.
//
// In the text `hone_slots` are the call's slots; hone_length_N(hone_slots) is what clause expression N says; hone_at_K
// is where object K is. What a call must leave alone and did not ends it with a trap. Pure.
#pragma once

#include <set>
#include <string>

#include "tool/frontend/arguments/arguments.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// At file scope, for all kernels whose arguments are put together; the second for those of C++ alone.
extern const char* const kArgumentSupport;
extern const char* const kCppArgumentSupport;

std::string text_before_call(const Arguments& arguments, const KernelSpec& spec);
std::string text_after_call(const Arguments& arguments, const KernelSpec& spec);

// The clause expressions that the text asks for.
std::set<ExpressionId> lengths_in(const Arguments& arguments, const KernelSpec& spec);

// A clause expression with hone_datum_N in place of "g->w" and its like; columns stay where they can.
std::string with_data(const std::string& expression, const Arguments& arguments);

}  // namespace hone::frontend
