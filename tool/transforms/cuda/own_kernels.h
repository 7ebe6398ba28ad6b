// A launcher as the CUDA transformations start from it: with copies of its own of the __global__ functions that it
// launches. The originals stay in the file, where other code may launch them; the copies are the candidate's to change.
#pragma once

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

// The __global__ functions that `launcher` launches and whose definitions stand in [begin, end) of the main file, in
// the order of their launches, each once.
std::vector<const clang::FunctionDecl*> launched_kernels(const clang::ASTContext& ast,
                                                         const clang::FunctionDecl* launcher, std::size_t begin,
                                                         std::size_t end);

// Where a function's definition stands, from its first specifier or attribute to its closing brace.
std::optional<TextRange> definition_range(const KernelContext& context, const clang::FunctionDecl* function);

// The candidate with copies of the launched functions that stand in front of it; nullopt: there are none. `context`'s
// kernel is the launcher.
std::optional<std::string> with_own_kernels(const KernelContext& context);

}  // namespace hone::frontend
