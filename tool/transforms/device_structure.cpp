#include "tool/transforms/device_structure.h"

#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/device_kernel.h"
#include "tool/transforms/code/launch_arguments.h"
#include "tool/transforms/cuda/atomics/gathering.h"
#include "tool/transforms/cuda/borders/clamps.h"
#include "tool/transforms/cuda/grid_stride.h"
#include "tool/transforms/cuda/loop_dealer.h"
#include "tool/transforms/cuda/staging/walks.h"

namespace hone::frontend {
namespace {

// How many accesses within `statement` run along memory with `variable`.
unsigned runs_along(const KernelContext& context, const clang::Stmt* statement, const clang::VarDecl* variable) {
  unsigned count = 0;
  for (const Access& access : accesses_in(context.ast, statement)) count += access.stride(variable) == Stride::one;
  return count;
}

// Is it a place of the thread's own? It mentions a local that counts no loop: the item, or what was computed from it.
bool differs_by_thread(LoopNest& nest, const Access& access) {
  const auto references = all_of<clang::DeclRefExpr>(access.expression);
  return std::ranges::any_of(references, [&](const clang::DeclRefExpr* reference) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    return variable && variable->isLocalVarDecl() &&
           std::ranges::none_of(nest.loops(), [&](const Loop& loop) { return loop.variable == variable; });
  });
}

// Do more of its accesses run along memory with the loop while neighboring threads are apart than the other way round?
bool runs_across(const KernelContext& context, LoopNest& nest, const Loop& loop, const clang::VarDecl* item) {
  int across = 0;
  for (const Access& access : accesses_in(context.ast, loop.body)) {
    const bool by_loop = access.stride(loop.variable) == Stride::one, by_thread = access.stride(item) == Stride::one;
    across += by_loop && !by_thread && differs_by_thread(nest, access);
    across -= by_thread && !by_loop;
  }
  return across > 0;
}

// Copies of a loop whose iterations share loads: all of them where they are few, else eight. 0: there is no such loop.
int shared_copies(const KernelContext& context, const LoopNest& nest) {
  constexpr double few = 12;
  for (const Loop& loop : nest.loops()) {
    if (!shares_loads(context, loop)) continue;
    const auto trips = loop.constant_lower(context.ast) == 0 ? value_in_problem(context, loop.upper) : std::nullopt;
    return trips && *trips >= 2 && *trips <= few ? static_cast<int>(*trips) : 8;
  }
  return 0;
}

constexpr double short_row = 96;        // iterations, of which a group of 32 has three each
constexpr double many_items = 1 << 17;  // fill a device by themselves
constexpr double few_blocks = 264;      // two for each of an H200's multiprocessors

// Blocks of the launch that are known in number, and leave most of a device idle.
bool are_few_blocks(const KernelContext& context) {
  const auto launch = launch_of(context);
  if (!launch) return false;
  const clang::Expr* grid = launch->call->getConfig()->getArg(0)->IgnoreImplicit();
  while (const auto* made = llvm::dyn_cast<clang::CXXConstructExpr>(grid)) {
    if (made->getNumArgs() == 0) return false;
    grid = made->getArg(0)->IgnoreImplicit();
  }
  const auto blocks = value_in_launcher(context, grid);
  return blocks && *blocks < few_blocks;
}

// Where the number of items is known.
std::optional<double> items_of(const KernelContext& context, const DeviceKernel& kernel) {
  const ItemCondition* end = kernel.along('x') ? end_of(kernel) : nullptr;
  const auto* test = end ? llvm::dyn_cast<clang::BinaryOperator>(end->test->IgnoreParenImpCasts()) : nullptr;
  if (!test || kernel.items.size() != 1) return std::nullopt;
  const bool left = mentions(test->getLHS(), kernel.along('x')->variable);
  return value_in_problem(context, left ? test->getRHS() : test->getLHS());
}

}  // namespace

bool shares_loads(const KernelContext& context, const Loop& loop) {
  if (!loop.counted || loop.innermost()) return false;
  bool same = false, own = false;
  for (const Loop* inner : loop.children)
    for (const Access& access : accesses_in(context.ast, inner->body)) {
      if (access.writes || !access.index) continue;
      const bool moves = access.index->depends_on(loop.variable);
      own |= moves;
      same |=
          !moves && std::ranges::none_of(access.index->terms(), [&](const auto& term) { return term.first.empty(); });
    }
  return same && own;
}

DeviceStructure structure_of(const KernelContext& context) {
  DeviceStructure seen;
  seen.gathers = is_applicable(context, "aggregate_atomics");
  seen.counts = is_applicable(context, "privatise_atomics");
  const auto gathering = gathering_of(context);
  seen.sized_late = gathering && gathering->extent == 0;
  seen.rows = is_applicable(context, "row_group");
  seen.walks = is_applicable(context, "warp_transpose");
  seen.columns = is_applicable(context, "column_group");
  seen.plane = is_applicable(context, "swap_axes");
  seen.product = is_applicable(context, "tile_product");
  seen.transposes = is_applicable(context, "store_through_tile");
  seen.special = is_applicable(context, "specialise");
  seen.elementwise = is_applicable(context, "vector_access");
  seen.trees = is_applicable(context, "warp_shuffles");
  seen.lonely = is_applicable(context, "cluster") && are_few_blocks(context);
  seen.runs_on = is_applicable(context, "tiled_scan");
  if (seen.elementwise) {
    const auto packs = find_transformation("vector_access")->argument_choices(context, 0);
    seen.widest_pack = packs.front().front();
    seen.pairs = packs.at(1).size() > 1;
  }
  seen.bordered = is_applicable(context, "interior");
  seen.steps = is_applicable(context, "merge_launches");
  if (is_applicable(context, "chain_launches"))
    seen.chain = find_transformation("chain_launches")->argument_choices(context, 0);
  LoopNest nest(context);
  seen.loops = !nest.loops().empty();
  seen.clamped = seen.bordered && std::ranges::any_of(nest.loops(), [&](const Loop& loop) {
                   return loop.counted && !clamps_in(context, loop).empty();
                 });
  seen.shared = shared_copies(context, nest);
  if (is_applicable(context, "register_tile"))
    seen.tile = find_transformation("register_tile")->argument_choices(context, 0);
  const auto kernel = device_kernel_of(context);
  if (!kernel) return seen;
  const auto items = items_of(context, *kernel);
  seen.few = !items || *items < many_items;
  seen.known_few = items && *items < many_items;
  seen.clusters = seen.rows && items && *items < few_blocks &&
                  find_transformation("row_group")->argument_choices(context, 0).at(1).size() > 1;
  if (const ItemIndex* x = kernel->along('x'), *y = kernel->along('y'); x && y)
    seen.turned = runs_along(context, context.kernel->getBody(), y->variable) >
                  runs_along(context, context.kernel->getBody(), x->variable);
  if (seen.walks)
    for (const auto& [statement, walk] : walks_in(context, *kernel))
      seen.recurs |= !is_shareable(context.ast, *nest.of(statement));
  if (seen.rows)
    for (const Loop* loop : nest.counted())
      if (!loop->parent && runs_across(context, nest, *loop, kernel->items[0].variable)) {
        const auto trips =
            loop->constant_lower(context.ast) == 0 ? value_in_problem(context, loop->upper) : std::nullopt;
        seen.short_rows = trips && *trips <= short_row && (seen.short_rows || !seen.across);
        seen.across = true;
      }
  return seen;
}

}  // namespace hone::frontend
