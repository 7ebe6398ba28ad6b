#include "tool/transforms/cuda/device_text.h"

#include "tool/frontend/unit/launch_text.h"

namespace hone::frontend {
namespace {

constexpr unsigned shared_bytes_of_launch = 2;  // the third argument within <<<>>>

}  // namespace

std::string helper_name(const KernelContext& context, const std::string& stem) {
  std::string name = (context.launcher ? context.launcher : context.kernel)->getNameAsString();
  if (name == context.spec.own_launch.name) name.erase(0, kOwnLaunchPrefix.size());  // the judge's word, not a helper's
  return name + "_" + stem;
}

void helper_once(Edits& edits, const KernelContext& context, const std::string& name, const std::string& text) {
  if (fresh_name(context, name) == name) edits.helper(text);
}

std::string covering_grid(Edits& edits, const KernelContext& context, const Launch& launch, const std::string& by) {
  const std::string name = helper_name(context, "grid");
  helper_once(edits, context, name,
              "// The blocks of `by` items that cover those of `grid` blocks of `block` threads.\n"
              "static dim3 " +
                  name +
                  "(dim3 grid, dim3 block, dim3 by) {\n"
                  "  return dim3((grid.x * block.x + by.x - 1) / by.x, (grid.y * block.y + by.y - 1) / by.y,\n"
                  "              (grid.z * block.z + by.z - 1) / by.z);\n}\n\n");
  return name + "(" + launch.grid + ", " + launch.block + ", " + by + ")";
}

std::string fewer_blocks(Edits& edits, const KernelContext& context, const Launch& launch, int along_x, int along_y) {
  const std::string name = helper_name(context, "fewer");
  helper_once(edits, context, name,
              "// A grid with `x` and `y` times fewer blocks, rounded up.\n"
              "static dim3 " +
                  name +
                  "(dim3 grid, unsigned x, unsigned y) {\n"
                  "  return dim3((grid.x + x - 1) / x, (grid.y + y - 1) / y, grid.z);\n}\n\n");
  return name + "(" + launch.grid + ", " + std::to_string(along_x) + ", " + std::to_string(along_y) + ")";
}

std::string most_blocks(Edits& edits, const KernelContext& context, const Launch& launch, int blocks) {
  const std::string name = helper_name(context, "most");
  helper_once(edits, context, name,
              "// A grid of at most so many blocks along x.\n"
              "static dim3 " +
                  name +
                  "(dim3 grid, unsigned blocks) {\n"
                  "  return dim3(grid.x < blocks ? grid.x : blocks, grid.y, grid.z);\n}\n\n");
  return name + "(" + launch.grid + ", " + std::to_string(blocks) + ")";
}

bool asks_for_shared_memory(const KernelContext& context, const Launch& launch) {
  if (launch.call->getConfig()->getNumArgs() <= shared_bytes_of_launch) return false;
  const auto bytes = constant_shape(context, launch, shared_bytes_of_launch);
  return !bytes || bytes->front() != 0;
}

void ask_for_shared_memory(Edits& edits, const KernelContext& context, const Launch& launch, const std::string& bytes) {
  const auto* configuration = launch.call->getConfig();
  const clang::Expr* given = configuration->getNumArgs() > shared_bytes_of_launch
                                 ? configuration->getArg(shared_bytes_of_launch)->IgnoreImplicit()
                                 : nullptr;
  if (given && !llvm::isa<clang::CXXDefaultArgExpr>(given))
    edits.replace(range_of(context.ast, given->getSourceRange()), bytes);
  else
    edits.insert(launch.block_range->end, ", " + bytes);
}

void relaunch(Edits& edits, const Launch& launch, const std::string& grid, const std::string& block) {
  edits.replace(launch.grid_range, grid);
  edits.replace(launch.block_range, block);
}

void replace_body(Edits& edits, const KernelContext& context, const std::string& text) {
  edits.replace(range_of(context.ast, context.kernel->getBody()), "{\n" + text + "\n}");
}

std::string item_expression(char dimension) {
  const std::string d(1, dimension);
  return "blockIdx." + d + " * blockDim." + d + " + threadIdx." + d;
}

std::string index_declaration(const ItemIndex& item, const std::string& value) {
  return "const " + item.type + " " + item.name + " = " + value + ";\n";
}

std::string other_indices(const DeviceKernel& kernel, std::string_view without) {
  std::string text;
  for (const ItemIndex& item : kernel.items)
    if (without.find(item.dimension) == std::string_view::npos)
      text += index_declaration(item, item_expression(item.dimension));
  return text;
}

}  // namespace hone::frontend
