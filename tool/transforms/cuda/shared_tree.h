// A block's reduction in shared memory, as everybody writes it:
//
//   for (int d = blockDim.x / 2; d > 0; d /= 2) {        or   for (int d = 1; d < blockDim.x; d *= 2) {
//     if (tid < d) s[tid] += s[tid + d];                        if (tid % (2 * d) == 0) s[tid] += s[tid + d];
//     __syncthreads();                                          __syncthreads();
//   }                                                         }
//
// Contract: found where every thread's part is what stands under the condition, it combines elements of shared arrays
// with those a distance further in whatever way, and nothing behind the loop looks at other elements than the first.
// Never changes anything. Borrows the AST.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

// An array that the tree combines: several at once where an index goes with a value.
struct TreeArray {
  const clang::ValueDecl* array = nullptr;
  clang::QualType type;                    // of an element
  std::vector<const clang::Expr*> own;     // s[tid], in the update
  std::vector<const clang::Expr*> others;  // s[tid + d]
};

struct SharedTree {
  const clang::Stmt* loop = nullptr;
  const clang::Stmt* update = nullptr;  // what stands under the condition
  std::vector<TreeArray> arrays;
  const clang::VarDecl* distance = nullptr;
  bool growing = false;               // d = 1, 2, 4, … in place of …, 4, 2, 1
  const clang::Expr* span = nullptr;  // the first distance where it shrinks, what it stays below where it grows;
  std::string span_text;              // as written, or the distance's name where it was set before the loop
  std::string thread;                 // tid as the loop has it
  bool waits_first = false;           // each round begins with __syncthreads()
  bool keeps_distance = false;        // the distance's variable outlives the loop
};

// The update on values of other names: own[i] for the elements of arrays[i] at tid, others[i] for those at tid + d.
// nullopt: it cannot be written so.
std::optional<std::string> update_on(const KernelContext& context, const SharedTree& tree,
                                     const std::vector<std::string>& own, const std::vector<std::string>& others);

// What combines a tree's results over several blocks begins with a declaration of a variable of this name, numbered or
// not.
inline constexpr const char* tree_cluster_stem = "tree_cluster";

// What a tree has been rewritten to begins with a declaration of a variable of this name, numbered or not.
inline constexpr const char* tree_span_stem = "tree_span";
bool is_shuffled_tree(const clang::CompoundStmt* block);

// The kernel's trees in source order. Trees that a rewrite kept in its text are among them.
std::vector<SharedTree> shared_trees(const KernelContext& context);

}  // namespace hone::frontend
