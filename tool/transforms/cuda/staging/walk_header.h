// How a loop counts that may be a walk (walks.h): its counter, where that begins, and how many iterations are left.
//
// Contract: false where it does not count up or down by one, where its conditions do not say when it ends, or where it
// is so short that compilers write it out. Never changes anything but the walk. Borrows the AST.
#pragma once

#include "tool/transforms/cuda/staging/walks.h"

namespace hone::frontend {

bool read_walk_header(const clang::ASTContext& ast, const Loop& loop, Walk& walk);

}  // namespace hone::frontend
