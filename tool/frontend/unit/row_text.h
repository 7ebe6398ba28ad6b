// The harness's text for pointers that stand in a row: written before a call, and compared after it as the row that
// each points to and the distance from its start. Names as in argument_text.h. Pure.
#pragma once

#include <set>
#include <string>

#include "tool/frontend/arguments/arguments.h"
#include "tool/model/kernel_spec.h"

namespace hone::frontend {

// At file scope, behind kArgumentSupport.
extern const char* const kRowSupport;

std::string rows_before_call(const Arguments& arguments, const KernelSpec& spec);
std::string guards_before_call(const Arguments& arguments, const KernelSpec& spec);  // last of all
std::string guards_after_call(const Arguments& arguments, const KernelSpec& spec);   // first of all
std::string rows_after_call(const Arguments& arguments, const KernelSpec& spec);

// What stands for the datum in an argument or a member: its slot, or that of its pointers.
std::string address_text(const Arguments& arguments, const KernelSpec& spec, unsigned datum);

}  // namespace hone::frontend
