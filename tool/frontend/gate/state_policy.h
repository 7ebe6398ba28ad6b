// Which variables a candidate may have that outlive a call: constants, shared memory, and plain scratch memory of a
// thread. Pure.
#pragma once

#include <string>

namespace clang {
class VarDecl;
}

namespace hone::frontend {

// Why a candidate may not have it; "" where it may, and for variables that are not the candidate's or end with a call.
std::string object_to_variable(const clang::VarDecl& variable);

}  // namespace hone::frontend
