// Does a kernel's original do anything but compute its results? What it prints or stores elsewhere a variant would not,
// and no comparison of results would miss it.
//
// Follows the functions that it calls as far as the parse has their bodies. What stands in a block that ends the
// program or throws is no result, but a complaint. So is what a branch that ends with `return` prints. The program goes
// on there, so variants must print as often (decision 45). Pure.
#pragma once

#include <map>
#include <string>

namespace clang {
class FunctionDecl;
}

namespace hone::frontend {

struct Effects {
  std::string effect;                          // "main.cpp:12 calls 'printf'", or ""
  std::map<std::string, unsigned> complaints;  // with what it prints where it gives up, and in how many places
};

Effects effects_of(const clang::FunctionDecl& kernel);

// A sentence where a candidate would not complain as the original does, else "".
std::string missing_complaint(const Effects& original, const Effects& candidate);

}  // namespace hone::frontend
