// A kernel whose blocks have an item each, a row mostly, over whose elements the block's threads go in strides:
//
//   int row = blockIdx.x;
//   for (int i = threadIdx.x; i < n; i += blockDim.x) sum += x[row * n + i];   a strided loop
//   s[threadIdx.x] = sum; …                                                    a tree in shared memory (shared_tree.h)
//   if (threadIdx.x == 0) y[row] = s[0];                                       what one thread writes
//
// Contract: nothing where the thread's number or memory is used in any other way, so that the item can be shared by
// several blocks. Never changes anything. Borrows the AST.
#pragma once

#include <optional>
#include <vector>

#include "tool/transforms/cuda/shared_tree.h"

namespace hone::frontend {

struct StridedLoop {
  const clang::ForStmt* loop = nullptr;
  const clang::Expr* first = nullptr;   // threadIdx.x, or what holds it
  const clang::Expr* stride = nullptr;  // blockDim.x, or as many
};

struct BlockPerItem {
  Launch launch;
  std::vector<StridedLoop> loops;
  std::vector<SharedTree> trees;
  std::vector<const clang::IfStmt*> written_by_one;  // if (threadIdx.x == 0), where memory of the device is written
  std::vector<const clang::Stmt*> barriers;          // outside of the trees
  bool loops_write = false;                          // a strided loop writes what another thread may read
};

std::optional<BlockPerItem> block_per_item_of(const KernelContext& context);

}  // namespace hone::frontend
