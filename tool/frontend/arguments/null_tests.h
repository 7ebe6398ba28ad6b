// Which pointers a function tests against null: those it may be called with null for. Pure.
#pragma once

#include <set>

namespace clang {
class Decl;
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

// Parameters, and members that are pointers.
std::set<const clang::Decl*> tested_against_null(const clang::FunctionDecl& function);

}  // namespace hone::frontend
