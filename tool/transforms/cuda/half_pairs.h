// Arithmetic of half precision, two elements in one instruction: __half2 in place of __half, __nv_bfloat162 in place of
// __nv_bfloat16.
//
// Contract: each element gets the operations that it had, in their order: + - * and the functions that exist for pairs
// (__hadd, __hfma, __hmax, …), the variants that must not be fused staying such. Where anything else is done there is
// no text. Never changes anything. Borrows the AST.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

// The elements of arrays that the work mentions, and what stands for the first of two, behind which the other lies.
using HalfElements = std::map<const clang::Expr*, std::string>;

// The statements of `kernel`'s work on pairs; nullopt: part of it is no arithmetic of one half-precision type.
std::optional<std::string> half_pairs(const KernelContext& context, const DeviceKernel& kernel,
                                      const HalfElements& elements);

}  // namespace hone::frontend
