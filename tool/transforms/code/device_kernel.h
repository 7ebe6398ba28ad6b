// A __global__ kernel and its launch as the CUDA transformations want to see them: which variables count the items that
// its threads work on, under what conditions, what the work on one item is, and in how many blocks it is launched.
//
//   __global__ void f(…) {
//     int i = blockIdx.x * blockDim.x + threadIdx.x;   an item's index along x
//     if (i >= n) return;                              a condition: i < n
//     …                                                the work
//   }
//
// Contract: nothing where a kernel is not of this form (it uses its indices otherwise, shares memory, synchronizes,
// returns from within its work), or is launched in several places. Never changes anything. Borrows the AST.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/transforms/code/edits.h"

namespace hone::frontend {

struct ItemIndex {
  const clang::VarDecl* variable = nullptr;
  char dimension = 'x';
  std::string name, type;
};

// One of the conditions that must all hold for an item to be worked on.
struct ItemCondition {
  const clang::Expr* test = nullptr;
  bool negated = false;
};

struct Launch {
  const clang::CUDAKernelCallExpr* call = nullptr;
  std::string grid, block;  // as written; they mention the launcher's variables
  std::optional<TextRange> grid_range, block_range;
};

struct DeviceKernel {
  Launch launch;
  std::vector<ItemIndex> items;
  std::vector<const clang::Stmt*> before;  // declarations that the conditions need
  std::vector<ItemCondition> conditions;
  std::vector<const clang::Stmt*> work;

  const ItemIndex* along(char dimension) const;
};

std::optional<DeviceKernel> device_kernel_of(const KernelContext& context);

// The only launch of the context's kernel in its launcher; nullopt: there are none or several.
std::optional<Launch> launch_of(const KernelContext& context);

// A grid (0) or block (1) of the launch that is given in numbers: along x, y and z. Its shared bytes (2): the first.
std::optional<std::array<long long, 3>> constant_shape(const KernelContext& context, const Launch& launch,
                                                       unsigned configuration);

// threadIdx.x and the like: "threadIdx" and 'x'.
struct BuiltinIndex {
  std::string_view variable;
  char dimension = 'x';
};
std::optional<BuiltinIndex> builtin_index(const clang::Expr* expression);
bool uses_builtin_indices(const clang::Stmt* statement);

// Text with the changes of `changes` made.
std::string text_of(const Substitution& changes, const std::vector<const clang::Stmt*>& statements);
std::string text_of(const Substitution& changes, const ItemCondition& condition);
std::string text_of(const Substitution& changes, const std::vector<ItemCondition>& conditions);  // "" for none
// The declarations in front, then the work under its conditions: what is done for the item that the indices name.
std::string item_text(const Substitution& changes, const DeviceKernel& kernel);

// The conditions as they are for other values of the items' indices.
std::string conditions_at(const KernelContext& context, const DeviceKernel& kernel,
                          const std::vector<std::pair<const clang::VarDecl*, std::string>>& values);

// Do conditions that hold for two items along an axis hold for all between them? They compare the index, they do not
// ask what memory holds there.
bool hold_between(const KernelContext& context, const DeviceKernel& kernel, const ItemIndex& item);

// Does the body leave before its end, or wait for other threads?
bool returns_early(const clang::Stmt* body);
bool synchronizes(const clang::Stmt* body);

}  // namespace hone::frontend
