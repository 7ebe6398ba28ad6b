// Integer parameters that stand in a loop's condition: drawn at random they would run out of bounds or never end. Pure.
#pragma once

#include <set>

namespace clang {
class FunctionDecl;
class ParmVarDecl;
}  // namespace clang

namespace hone::frontend {

std::set<const clang::ParmVarDecl*> loop_bounds(const clang::FunctionDecl& function);

}  // namespace hone::frontend
