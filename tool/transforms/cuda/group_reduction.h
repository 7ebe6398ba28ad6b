// Helpers of candidates that combine a value over the threads of a warp, a part of one, or a block.
//
// Contract: writes the helper once, hands back the call's text. All threads of the group must make the call.
#pragma once

#include <string>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/cuda/device_text.h"

namespace hone::frontend {

// Can __shfl_sync carry it?
bool can_shuffle(const clang::ASTContext& ast, clang::QualType type);

// "" where there is none that needs no knowledge of the values: what a thread starts from so that it adds nothing.
std::string identity_of(ReductionKind kind);

// Over groups of `lanes` threads (a power of two), each of whose threads gets the result: "f<32>(value)".
std::string over_group(Edits& edits, const KernelContext& context, ReductionKind kind, int lanes,
                       const std::string& value);

// Whether blocks of a cluster can read each other's shared memory on all devices that the kernel is compiled for.
bool has_clusters(const KernelSpec& spec);
inline constexpr int most_blocks_of_cluster = 8;  // that every such device can place
inline constexpr const char* barrier_of_cluster = "cooperative_groups::this_cluster().sync();";
// Declares the kernel's blocks as clusters of so many along x, and launches so many times the blocks of `grid`.
void launch_clusters(Edits& edits, const KernelContext& context, const Launch& launch, const std::string& grid,
                     int blocks);
// Over the `lanes` threads of each of a cluster's blocks, all of which get the result.
std::string over_cluster(Edits& edits, const KernelContext& context, ReductionKind kind, int lanes, int blocks,
                         const std::string& value);

// Over the threads of a block with the same threadIdx.x, of blocks of 32 by `lanes` threads.
std::string over_column(Edits& edits, const KernelContext& context, ReductionKind kind, int lanes,
                        const std::string& value);

// What the threads of a group in front of this one have together, each from its `value`; what all have goes to the
// variable `total`.
std::string prefix_over_group(Edits& edits, const KernelContext& context, int lanes, const std::string& value,
                              const std::string& total);

// The sum over a block of any shape; its first thread's result counts.
std::string sum_over_block(Edits& edits, const KernelContext& context, const std::string& value);

}  // namespace hone::frontend
