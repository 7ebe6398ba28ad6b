// Does a kernel's original do anything but compute its results? What it prints or stores elsewhere a variant would not,
// and no comparison of results would miss it.
//
// Follows the functions that it calls as far as the parse has their bodies. What stands in a block that ends the
// program or throws is no result, but a complaint. Pure.
#pragma once

#include <string>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

// "main.cpp:12 calls 'printf'", or "".
std::string effect_of(const clang::FunctionDecl& kernel);

}  // namespace hone::frontend
