// A loop of the host that launches kernels, each of which may need what the ones before wrote, and does nothing else
// that a device could not do as well: it counts, chooses and exchanges pointers.
//
//   for (int t = 0; t < steps; ++t) {
//     step<<<grid, block, 0, stream>>>(from, to, n);
//     std::swap(from, to);
//   }
//
// Contract: nothing where the loop does more (calls, copies, waits, leaves the function), where a launch's block,
// shared memory or stream differs from step to step, or where a kernel cannot be called as a function: it reads by a
// way on which what other blocks wrote is not seen, leaves before a barrier, or names its block in a macro. Never
// changes anything. Borrows the AST.
#pragma once

#include <string>
#include <vector>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

struct ChainedLaunch {
  const clang::CUDAKernelCallExpr* call = nullptr;
  const clang::FunctionDecl* kernel = nullptr;  // the definition, which is the candidate's to change
  std::string grid;                             // as written
  bool along_x = false;                         // the grid is a number
};

struct LaunchChain {
  const clang::Stmt* loop = nullptr;
  std::vector<ChainedLaunch> launches;             // as written, one at least
  std::vector<const clang::VarDecl*> taken;        // variables from outside that the device needs, by first mention
  std::vector<const clang::VarDecl*> changed;      // those among them that the loop changes
  std::vector<const clang::CallExpr*> exchanges;   // std::swap(a, b)
  std::vector<const clang::CallExpr*> bounds;      // std::min(a, b), std::max(a, b)
  std::vector<const clang::CallExpr*> host_calls;  // of functions of the host's alone, inner ones first
  std::string block, shared, stream;               // of all launches, as written; "0" and "nullptr" where nothing is
  bool block_along_x = false;                      // the block is a number
  long long block_size = 0;                        // threads of a block; 0: nobody knows
  bool keeps_blocks = false;  // threads of a block wait for each other, or share memory or a warp's words
};

// Those whose first launch is of the context's kernel, by place.
std::vector<LaunchChain> launch_chains_of(const KernelContext& context);

}  // namespace hone::frontend
