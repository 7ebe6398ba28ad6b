// The texts that CUDA transformations write again and again: launches of other shapes, indices, helpers of a candidate.
//
// Contract: names begin with the launcher's own, so that the variants of two kernels in one file do not clash; each
// helper is written once. Adds to Edits and nothing else.
#pragma once

#include <string>

#include "tool/transforms/code/device_kernel.h"

namespace hone::frontend {

// blur_grid for the stem "grid".
std::string helper_name(const KernelContext& context, const std::string& stem);
// Writes `text`, which defines `name`, unless the candidate has it.
void helper_once(Edits& edits, const KernelContext& context, const std::string& name, const std::string& text);

// An expression for the grid that covers the launch's items with blocks of `by` items ("dim3(32, 8)", "128").
std::string covering_grid(Edits& edits, const KernelContext& context, const Launch& launch, const std::string& by);
// The launch's grid with `along_x` and `along_y` times fewer blocks, rounded up.
std::string fewer_blocks(Edits& edits, const KernelContext& context, const Launch& launch, int along_x, int along_y);
// The launch's grid with at most so many blocks along x.
std::string most_blocks(Edits& edits, const KernelContext& context, const Launch& launch, int blocks);
// Does the launch ask for dynamic shared memory, as far as anybody knows?
bool asks_for_shared_memory(const KernelContext& context, const Launch& launch);
// It asks for so many bytes, an expression, in place of none.
void ask_for_shared_memory(Edits& edits, const KernelContext& context, const Launch& launch, const std::string& bytes);
void relaunch(Edits& edits, const Launch& launch, const std::string& grid, const std::string& block);

// The kernel's new body, braces included.
void replace_body(Edits& edits, const KernelContext& context, const std::string& text);

// blockIdx.x * blockDim.x + threadIdx.x
std::string item_expression(char dimension);
// const int i = …;
std::string index_declaration(const ItemIndex& item, const std::string& value);
// The declarations of all items but those along `without`.
std::string other_indices(const DeviceKernel& kernel, std::string_view without);

// threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z), and how many threads a block has.
inline constexpr const char* thread_of_block = "threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)";
inline constexpr const char* threads_of_block = "blockDim.x * blockDim.y * blockDim.z";

}  // namespace hone::frontend
