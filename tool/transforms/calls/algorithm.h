// An algorithm of the standard library that a kernel calls, written out as the loop that it is.
//
//   *r = std::accumulate(x, x + n, 0.0f);   →   float sum = 0.0f;
//                                               for (int i = 0; i < n; ++i) sum = sum + x[i];
//                                               *r = sum;
//
// accumulate, reduce, inner_product, transform_reduce, transform, for_each, fill, count, count_if, any_of, all_of,
// none_of, min_element and max_element, and those of std::ranges, over pointers and over vectors, arrays and spans, with what they call: nothing,
// function objects of the library, names of functions, and lambdas, whose text comes in place of their call.
//
// Contract: the same elements in the same order, each function called as often. Nothing where an argument may change
// meanwhile, for an execution policy, and for other iterators. Never changes anything. Borrows the AST.
#pragma once

#include <optional>

#include "tool/transforms/calls/inlined_body.h"

namespace hone::frontend {

// The algorithm's name where there is a loop for it; else "".
std::string algorithm_of(const clang::CallExpr& call);

std::optional<InlinedCall> written_out(const KernelContext& context, const CallPlace& place, const StableValues& stable,
                                       FreshNames& fresh);

}  // namespace hone::frontend
