// Where a call of another function can take the place of a function's body: behind the brace that opens it.
//
// Name, signature, linkage, attributes and default arguments are then left as they are, whatever made them. Pure.
#pragma once

#include "tool/frontend/describe/placement.h"
#include "tool/frontend/parse/translation_unit.h"

namespace clang {
class CompoundStmt;
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

// Null: it has none, or a try block instead.
const clang::CompoundStmt* body_of(const clang::FunctionDecl& function);

// `instance`: the function stands for a template's instance, in a copy of the file.
Entrance find_entrance(const TranslationUnit& unit, const clang::FunctionDecl& function, bool instance);

}  // namespace hone::frontend
