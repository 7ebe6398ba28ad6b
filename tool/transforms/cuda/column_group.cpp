// From one thread for each item to several, where neighboring items lie side by side in memory already: a block has 32
// items along x, and its threads along y deal out each item's loops. What the loops sum up is combined in shared
// memory. Few items (the columns of a matrix) so still fill the device, and a warp reads what lies side by side as
// before.
//
// Items beyond the end do the last one's work again and write nothing, since all threads of a block wait for each
// other.
#include <bit>

#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"
#include "tool/transforms/cuda/group_reduction.h"
#include "tool/transforms/cuda/loop_dealer.h"

namespace hone::frontend {
namespace {

constexpr int columns_of_block = 32;  // a warp's width

// n of the kernel's only condition, `i < n` of the item's index in whatever spelling; null: it is another.
const clang::Expr* bound_of(const DeviceKernel& kernel, const ItemIndex& item) {
  if (kernel.conditions.size() != 1 || !kernel.before.empty()) return nullptr;
  const ItemCondition& condition = kernel.conditions.front();
  const auto* test = llvm::dyn_cast<clang::BinaryOperator>(condition.test->IgnoreParenImpCasts());
  if (!test || test->getOpcode() != (condition.negated ? clang::BO_GE : clang::BO_LT)) return nullptr;
  const auto* index = llvm::dyn_cast<clang::DeclRefExpr>(test->getLHS()->IgnoreParenImpCasts());
  const bool bounds = index && index->getDecl() == item.variable && !mentions(test->getRHS(), item.variable);
  return bounds ? test->getRHS() : nullptr;
}

class ColumnGroup final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "column_group"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{16, 32, 8, 4, 2}};
  }

 protected:
  bool fits(const KernelContext& context, const DeviceKernel& kernel) const override {
    if (kernel.items.size() != 1 || !kernel.along('x') || !bound_of(kernel, kernel.items.front())) return false;
    LoopNest nest(context);
    return !nest.where([&](const Loop& loop) {
                  return is_dealable(context.ast, loop) && !writes_memory(context.ast, loop.body);
                })
                .empty();
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const int lanes = static_cast<int>(std::bit_floor(static_cast<unsigned>(argument(arguments, 0, 16, 2, 32))));
    const ItemIndex& item = kernel.items.front();
    const std::string width = std::to_string(columns_of_block), own = fresh_name(context, item.name + "_own");
    const std::string bound = "(" + text_of(context.ast, bound_of(kernel, item)) + ")";
    Team team;
    team.lanes = lanes;
    team.waits_for_others = true;
    team.also_writes = own + " < " + bound;
    team.combined = [&](ReductionKind kind, const std::string& value) {
      return over_column(edits, context, kind, lanes, value);
    };
    Substitution changes(context.ast);
    LoopDealer dealer(context, edits, changes, team);
    if (!dealer.deal(kernel.work) || dealer.dealt() == 0) return false;

    replace_body(edits, context,
                 "const " + item.type + " " + own + " = blockIdx.x * " + width + " + threadIdx.x;\n" +
                     index_declaration(item, own + " < " + bound + " ? " + own + " : " + bound + " - 1") +
                     "const int " + dealer.lane() + " = threadIdx.y;\n" + text_of(changes, kernel.work));
    relaunch(edits, kernel.launch, covering_grid(edits, context, kernel.launch, width),
             "dim3(" + width + ", " + std::to_string(lanes) + ")");
    return !changes.spoiled();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_column_group() {
  return std::make_unique<ColumnGroup>();
}

}  // namespace hone::frontend
