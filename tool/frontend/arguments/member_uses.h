// Which data members a function mentions, itself or through what it calls of the user's. Pure.
#pragma once

#include <set>

namespace clang {
class FieldDecl;
class FunctionDecl;
}  // namespace clang

namespace hone::frontend {

std::set<const clang::FieldDecl*> members_mentioned(const clang::FunctionDecl& function);

}  // namespace hone::frontend
