#include "tool/transforms/cuda/cluster/block_per_item.h"

#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/cuda/block_words.h"
#include "tool/transforms/cuda/loop_dealer.h"

namespace hone::frontend {
namespace {

class Reader {
 public:
  explicit Reader(const KernelContext& context) : context_(context), block_(threads_along_x(context)) {}

  std::optional<BlockPerItem> read() {
    const auto launch = launch_of(context_);
    if (!launch || !launch->grid_range || !uses_one_dimension()) return std::nullopt;
    found_.launch = *launch;
    found_.trees = shared_trees(context_);
    if (found_.trees.empty()) return std::nullopt;
    for (const SharedTree& tree : found_.trees) understood_.push_back(range_of(context_.ast, tree.loop));
    const clang::Stmt* body = context_.kernel->getBody();
    for (const auto* loop : all_of<clang::ForStmt>(body)) read_loop(loop);
    for (const auto* branch : all_of<clang::IfStmt>(body))
      if (!read_branch(branch)) return std::nullopt;
    if (found_.loops.empty() || !understands_threads() || !understands_writes()) return std::nullopt;
    for (const auto* call : all_of<clang::CallExpr>(body))
      if (is_barrier(call) && !in_tree(call)) found_.barriers.push_back(call);
    return std::move(found_);
  }

 private:
  // Blocks and threads along x alone, and nobody asks how many blocks there are.
  bool uses_one_dimension() const {
    const auto indices = all_of<clang::MSPropertyRefExpr>(context_.kernel->getBody());
    return !indices.empty() && std::ranges::all_of(indices, [](const auto* expression) {
      const auto index = builtin_index(expression);
      return !index || (index->dimension == 'x' && index->variable != "gridDim");
    });
  }

  bool is_stride(const clang::Expr* expression) const {
    const auto index = builtin_index(expression->IgnoreParenCasts());
    if (index) return index->variable == "blockDim";
    return block_ && is_number(context_.ast, expression, *block_);
  }

  void read_loop(const clang::ForStmt* loop) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* variable =
        declared && declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    const auto* step = llvm::dyn_cast_or_null<clang::BinaryOperator>(loop->getInc());
    if (!variable || !variable->hasInit() || !is_thread(context_, variable->getInit()) || !step ||
        step->getOpcode() != clang::BO_AddAssign || !is_variable(step->getLHS(), variable) ||
        !is_stride(step->getRHS()) || writes_variable(loop->getBody(), variable) || in_tree(loop))
      return;
    found_.loops.push_back({loop, variable->getInit(), step->getRHS()});
    understood_.push_back(range_of(context_.ast, declared));
    found_.loops_write |= writes_memory(context_.ast, loop->getBody());
  }

  // if (threadIdx.x == 0) …; which writes for the block or for the device, not for both.
  bool read_branch(const clang::IfStmt* branch) {
    const auto* test = binary_of(branch->getCond());
    if (!test || test->getOpcode() != clang::BO_EQ || !is_thread(context_, test->getLHS()) ||
        !is_number(context_.ast, test->getRHS(), 0) || in_tree(branch))
      return true;
    understood_.push_back(range_of(context_.ast, test->getSourceRange()));
    bool for_block = false,
         for_device = !all_of<clang::CallExpr>(branch->getThen()).empty() && calls_atomics(branch->getThen());
    for (const Access& access : accesses_in(context_.ast, branch->getThen()))
      if (access.writes) (is_shared(context_, access.base) ? for_block : for_device) = true;
    for_block |= writes_shared_variables(branch->getThen());
    if (for_device) found_.written_by_one.push_back(branch);
    return !(for_block && for_device) && !branch->getElse();
  }

  static bool calls_atomics(const clang::Stmt* statement) {
    return std::ranges::any_of(all_of<clang::CallExpr>(statement), [](const clang::CallExpr* call) {
      const auto* function = call->getDirectCallee();
      return function && function->getIdentifier() && function->getName().starts_with("atomic");
    });
  }

  bool writes_shared_variables(const clang::Stmt* statement) const {
    return std::ranges::any_of(all_of<clang::DeclRefExpr>(statement), [&](const clang::DeclRefExpr* reference) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      return variable && is_shared(context_, variable) && writes_variable(statement, variable);
    });
  }

  bool in_tree(const clang::Stmt* statement) const {
    return std::ranges::any_of(found_.trees, [&](const SharedTree& tree) { return holds(tree.loop, statement); });
  }

  bool is_understood(std::optional<TextRange> place) const {
    return place && std::ranges::any_of(understood_, [&](const std::optional<TextRange>& range) {
             return range && range->contains(*place);
           });
  }

  // The thread's number counts what the block shares, finds its place in a tree's array, or is held by a local.
  bool understands_threads() {
    const clang::Stmt* body = context_.kernel->getBody();
    for (const auto* subscript : all_of<clang::ArraySubscriptExpr>(body)) {
      const auto* array = llvm::dyn_cast<clang::DeclRefExpr>(bare(subscript->getBase()));
      if (array && is_shared(context_, array->getDecl()) && is_thread(context_, subscript->getIdx()))
        understood_.push_back(range_of(context_.ast, subscript->getIdx()->getSourceRange()));
    }
    for (const auto* declared : all_of<clang::DeclStmt>(body))
      if (const auto* variable =
              declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
          variable && variable->hasInit() && is_thread(context_, variable->getInit()) &&
          !writes_variable(body, variable))
        understood_.push_back(range_of(context_.ast, declared));
    const auto mentions_it = [&](const clang::Expr* expression) {
      return !is_thread(context_, expression) || is_understood(range_of(context_.ast, expression->getSourceRange()));
    };
    return std::ranges::all_of(all_of<clang::MSPropertyRefExpr>(body), mentions_it) &&
           std::ranges::all_of(all_of<clang::DeclRefExpr>(body), mentions_it);
  }

  // Memory of the device is written in strided loops and by one thread.
  bool understands_writes() const {
    std::vector<std::optional<TextRange>> places;
    for (const StridedLoop& each : found_.loops) places.push_back(range_of(context_.ast, each.loop));
    for (const auto* branch : found_.written_by_one) places.push_back(range_of(context_.ast, branch));
    return std::ranges::all_of(accesses_in(context_.ast, context_.kernel->getBody()), [&](const Access& access) {
      const auto* local = llvm::dyn_cast_or_null<clang::VarDecl>(access.base);
      if (!access.writes || is_shared(context_, access.base)) return true;
      if (local && local->hasLocalStorage() && local->getType()->isArrayType()) return true;
      const auto at = range_of(context_.ast, access.expression->getSourceRange());
      return at && std::ranges::any_of(places, [&](const auto& place) { return place && place->contains(*at); });
    });
  }

  const KernelContext& context_;
  const std::optional<long long> block_;
  BlockPerItem found_;
  std::vector<std::optional<TextRange>> understood_;
};

}  // namespace

std::optional<BlockPerItem> block_per_item_of(const KernelContext& context) {
  return Reader(context).read();
}

}  // namespace hone::frontend
