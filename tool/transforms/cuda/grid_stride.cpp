// A fixed number of blocks, whose threads go on to the item a whole grid further until there are none left: no more
// blocks than the device runs at a time, and what a thread sets up is set up once.
#include "tool/transforms/cuda/grid_stride.h"

#include <algorithm>

#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/block_words.h"
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

constexpr int largest_grid = 1 << 16;

// i < n, i <= n, n > i: what holds for no later item once it does not hold for one.
bool ends_at(const ItemCondition& condition, const clang::VarDecl* item) {
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition.test->IgnoreParenImpCasts());
  if (!test || !test->isRelationalOp() || !test->getLHS()->getType()->isIntegerType()) return false;
  const auto operation =
      condition.negated ? clang::BinaryOperator::negateComparisonOp(test->getOpcode()) : test->getOpcode();
  const bool below = operation == clang::BO_LT || operation == clang::BO_LE;
  const clang::Expr *lesser = below ? test->getLHS() : test->getRHS(),
                    *greater = below ? test->getRHS() : test->getLHS();
  return is_variable(lesser, item) && !mentions(greater, item);
}

}  // namespace

const ItemCondition* end_of(const DeviceKernel& kernel) {
  const clang::VarDecl* item = kernel.along('x')->variable;
  const auto found = std::ranges::find_if(kernel.conditions, [&](const auto& c) { return ends_at(c, item); });
  return found == kernel.conditions.end() ? nullptr : &*found;
}

namespace {

class GridStride final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "grid_stride"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{1024, 2048, 512, 4096, 256}};
  }

 protected:
  bool fits(const KernelContext&, const DeviceKernel& kernel) const override {
    return kernel.along('x') && kernel.before.empty() && end_of(kernel);
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const int blocks = argument(arguments, 0, 1024, 1, largest_grid);
    const ItemIndex& item = *kernel.along('x');
    // Wider than the index, which may not hold what lies a grid behind the last item.
    const std::string at = fresh_name(context, item.name + "_at"), step = fresh_name(context, item.name + "_step");
    const ItemCondition& end = *end_of(kernel);
    Substitution here(context.ast);
    here.rename(end.test, item.variable, at);
    const Substitution plain(context.ast);
    replace_body(
        edits, context,
        other_indices(kernel, "x") + "const long long " + step +
            " = static_cast<long long>(gridDim.x) * blockDim.x;\nfor (long long " + at + " = " + item_expression('x') +
            "; " + text_of(here, end) + "; " + at + " += " + step + ") " +
            braces(index_declaration(item, "static_cast<" + item.type + ">(" + at + ")") + item_text(plain, kernel)));
    edits.replace(kernel.launch.grid_range, most_blocks(edits, context, kernel.launch, blocks));
    return !here.spoiled() && !plain.spoiled();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_grid_stride() {
  return std::make_unique<GridStride>();
}

}  // namespace hone::frontend
