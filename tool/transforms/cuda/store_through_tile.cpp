// A kernel whose loads run along x and whose store runs along y (a transpose): squares of values pass through shared
// memory, whose rows are one element longer so that its columns lie in different banks; the threads then exchange the
// two indices and store along memory.
#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

constexpr int side = 32;

// The only statement of the work: target = value.
const clang::BinaryOperator* store_of(const DeviceKernel& kernel) {
  if (kernel.work.size() != 1) return nullptr;
  const auto* store = llvm::dyn_cast<clang::BinaryOperator>(kernel.work.front());
  return store && store->getOpcode() == clang::BO_Assign ? store : nullptr;
}

bool runs_along(const clang::ASTContext& ast, const clang::Expr* expression, const clang::VarDecl* variable) {
  for (const Access& access : accesses_in(ast, expression))
    if (access.stride(variable) == Stride::one) return true;
  return false;
}

class StoreThroughTile final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "store_through_tile"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{8, 4, 16, 32}};  // rows of threads
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    const ItemIndex *x = kernel.along('x'), *y = kernel.along('y');
    const auto* store = store_of(kernel);
    if (!x || !y || kernel.items.size() != 2 || !store) return false;
    return runs_along(context.ast, store->getRHS(), x->variable) &&
           runs_along(context.ast, store->getLHS(), y->variable) &&
           !runs_along(context.ast, store->getLHS(), x->variable);
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const ItemIndex &x = *kernel.along('x'), &y = *kernel.along('y');
    const auto* store = store_of(kernel);
    const std::string type = plain_type(context.ast, store->getLHS()->getType());
    if (type.empty()) return false;
    const std::string rows = std::to_string(argument(arguments, 0, 8, 1, side)), width = std::to_string(side);
    const std::string tile = fresh_name(context, "tile"), across = fresh_name(context, "across");
    const std::string x_start = "blockIdx.x * " + width, y_start = "blockIdx.y * " + width;
    const Substitution plain(context.ast);
    const std::string before = text_of(plain, kernel.before), conditions = text_of(plain, kernel.conditions);
    const std::string test = conditions.empty() ? "" : "if (" + conditions + ") ";
    const std::string header = "#pragma unroll\nfor (int " + across + " = threadIdx.y; " + across + " < " + width +
                               "; " + across + " += " + rows + ") ";
    const std::string stored = tile + "[" + across + "][threadIdx.x]", read = tile + "[threadIdx.x][" + across + "]";
    const std::string text =
        "__shared__ " + type + " " + tile + "[" + width + "][" + std::to_string(side + 1) + "];\n" + header +
        braces(index_declaration(x, x_start + " + threadIdx.x") + index_declaration(y, y_start + " + " + across) +
               before + test + stored + " = " + plain.text(store->getRHS()) + ";") +
        "\n__syncthreads();\n" + header +
        braces(index_declaration(x, x_start + " + " + across) + index_declaration(y, y_start + " + threadIdx.x") +
               before + test + plain.text(store->getLHS()) + " = " + read + ";");
    replace_body(edits, context, text);
    relaunch(edits, kernel.launch, covering_grid(edits, context, kernel.launch, "dim3(" + width + ", " + width + ")"),
             "dim3(" + width + ", " + rows + ")");
    return !plain.spoiled();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_store_through_tile() {
  return std::make_unique<StoreThroughTile>();
}

}  // namespace hone::frontend
