#include "tool/transforms/cuda/shared_tree.h"

#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/block_words.h"
#include "tool/transforms/cuda/group_reduction.h"

namespace hone::frontend {
namespace {

// v > 0, v >= 1, v != 0, 0 < v, v
bool above_zero(const clang::ASTContext& ast, const clang::Expr* test, const clang::VarDecl* variable) {
  if (is_variable(test, variable)) return true;
  const auto* comparison = binary_of(test);
  if (!comparison) return false;
  const auto operation = comparison->getOpcode();
  if (is_variable(comparison->getLHS(), variable))
    return ((operation == clang::BO_GT || operation == clang::BO_NE) && is_number(ast, comparison->getRHS(), 0)) ||
           (operation == clang::BO_GE && is_number(ast, comparison->getRHS(), 1));
  return operation == clang::BO_LT && is_number(ast, comparison->getLHS(), 0) &&
         is_variable(comparison->getRHS(), variable);
}

bool stays(const clang::ASTContext& ast, const clang::Expr* expression, const clang::Stmt* loop) {
  for (const auto* reference : all_of<clang::DeclRefExpr>(expression)) {
    const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
    if (variable && writes_variable(loop, variable)) return false;
  }
  for (const auto* call : all_of<clang::CallExpr>(expression)) {
    const auto* function = call->getDirectCallee();
    if (!function || !function->getIdentifier() || !function->getName().starts_with("__fetch_builtin")) return false;
  }
  return accesses_in(ast, expression).empty();
}

bool declares(const clang::CompoundStmt* block, std::string_view stem) {
  return std::ranges::any_of(block->body(), [&](const clang::Stmt* statement) {
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
    const auto* variable =
        declared && declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    return variable && std::string_view(variable->getName()).starts_with(stem);
  });
}

class TreeReader {
 public:
  explicit TreeReader(const KernelContext& context) : context_(context) {}

  std::optional<SharedTree> read(const clang::Stmt* loop) {
    tree_ = {};
    tree_.loop = loop;
    std::vector<const clang::Stmt*> body;
    if (const auto* counted = llvm::dyn_cast<clang::ForStmt>(loop)) {
      if (!read_header(counted)) return std::nullopt;
      body = statements_of(counted->getBody());
    } else if (const auto* conditional = llvm::dyn_cast<clang::WhileStmt>(loop)) {
      body = statements_of(conditional->getBody());
      if (!read_header(conditional, body)) return std::nullopt;
    }
    return read_rounds(body) && read_accesses() ? std::optional(tree_) : std::nullopt;
  }

 private:
  bool read_header(const clang::ForStmt* loop) {
    const clang::Expr* start = nullptr;
    if (const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit())) {
      tree_.distance = declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
      start = tree_.distance ? tree_.distance->getInit() : nullptr;
    } else if (const auto* assigned = binary_of(loop->getInit());
               assigned && assigned->getOpcode() == clang::BO_Assign) {
      tree_.distance = local_of(assigned->getLHS());
      tree_.keeps_distance = true;
      start = assigned->getRHS();
    }
    if (!tree_.distance || !start || !loop->getCond() || !loop->getInc()) return false;
    if (above_zero(context_.ast, loop->getCond(), tree_.distance) &&
        halves(context_.ast, loop->getInc(), tree_.distance)) {
      tree_.span = start;
    } else {
      tree_.growing = !tree_.keeps_distance && is_number(context_.ast, start, 1) &&
                      doubles(context_.ast, loop->getInc(), tree_.distance);
      tree_.span = tree_.growing ? bound_over(loop->getCond(), is_distance()) : nullptr;
      if (!tree_.span || !stays(context_.ast, tree_.span, loop)) return false;
    }
    tree_.span_text = text_of(context_.ast, tree_.span);
    return !tree_.span_text.empty();
  }

  // while (d > 0) { …; d /= 2; }, whose last statement is taken out of `body`.
  bool read_header(const clang::WhileStmt* loop, std::vector<const clang::Stmt*>& body) {
    const auto* assigned = body.empty() ? nullptr : binary_of(body.back());
    tree_.distance = assigned ? local_of(assigned->getLHS()) : nullptr;
    if (!tree_.distance || !halves(context_.ast, body.back(), tree_.distance) ||
        !above_zero(context_.ast, loop->getCond(), tree_.distance))
      return false;
    body.pop_back();
    tree_.keeps_distance = true;
    tree_.span_text = tree_.distance->getNameAsString();
    return true;
  }

  bool read_rounds(const std::vector<const clang::Stmt*>& body) {
    if (body.size() < 2 || body.size() > 3) return false;
    tree_.waits_first = is_barrier(body.front());
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(body[tree_.waits_first ? 1 : 0]);
    if (!branch || branch->getElse() || branch->getInit() || branch->getConditionVariable()) return false;
    if (!tree_.waits_first || body.size() == 3)
      if (!is_barrier(body.back()) || body.size() != (tree_.waits_first ? 3u : 2u)) return false;
    tree_.update = branch->getThen();
    return tree_.growing ? read_growing_test(branch->getCond()) : read_shrinking_test(branch->getCond());
  }

  // tid < d
  bool read_shrinking_test(const clang::Expr* test) {
    const clang::Expr* bound = bound_over(test, remember_thread());
    return bound && is_variable(bound, tree_.distance);
  }

  // tid % (2 * d) == 0, (tid & (2 * d - 1)) == 0, with or without && tid + d < what bounds d
  bool read_growing_test(const clang::Expr* test) {
    const auto* both = binary_of(test);
    if (both && both->getOpcode() == clang::BO_LAnd) {
      const clang::Expr* bound = bound_over(both->getRHS(), is_other());
      return bound && text_of(context_.ast, bare(bound)) == text_of(context_.ast, bare(tree_.span)) &&
             read_growing_test(both->getLHS());
    }
    if (!both || both->getOpcode() != clang::BO_EQ || !is_number(context_.ast, both->getRHS(), 0)) return false;
    const auto* rest = binary_of(both->getLHS());
    if (!rest || !remember_thread()(rest->getLHS())) return false;
    if (rest->getOpcode() == clang::BO_Rem) return is_twice_the_distance(rest->getRHS());
    const auto* mask = rest->getOpcode() == clang::BO_And ? binary_of(rest->getRHS()) : nullptr;
    return mask && mask->getOpcode() == clang::BO_Sub && is_number(context_.ast, mask->getRHS(), 1) &&
           is_twice_the_distance(mask->getLHS());
  }

  bool is_twice_the_distance(const clang::Expr* expression) const {
    const auto* product = binary_of(expression);
    if (!product) return false;
    const clang::Expr *left = product->getLHS(), *right = product->getRHS();
    if (product->getOpcode() == clang::BO_Shl)
      return is_variable(left, tree_.distance) && is_number(context_.ast, right, 1);
    if (product->getOpcode() != clang::BO_Mul) return false;
    return (is_number(context_.ast, left, 2) && is_variable(right, tree_.distance)) ||
           (is_variable(left, tree_.distance) && is_number(context_.ast, right, 2));
  }

  // The update: elements of shared arrays at tid and tid + d, locals of its own, nothing else.
  bool read_accesses() {
    std::size_t distances = 0;
    for (const Access& access : accesses_in(context_.ast, tree_.update)) {
      const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(access.expression->IgnoreParens());
      const auto* array = subscript ? llvm::dyn_cast<clang::DeclRefExpr>(bare(subscript->getBase())) : nullptr;
      if (!array || !is_shared(context_, array->getDecl())) return false;
      auto at = std::ranges::find(tree_.arrays, array->getDecl(), &TreeArray::array);
      if (at == tree_.arrays.end()) at = tree_.arrays.insert(at, {array->getDecl(), subscript->getType(), {}, {}});
      if (is_thread(context_, subscript->getIdx()))
        at->own.push_back(subscript);
      else if (is_other()(subscript->getIdx()) && !access.writes)
        at->others.push_back(subscript);
      else
        return false;
    }
    for (const TreeArray& each : tree_.arrays) {
      if (each.own.empty() || each.others.empty() || !can_shuffle(context_.ast, each.type)) return false;
      distances += each.others.size();
      if (references(tree_.update, each.array) != each.own.size() + each.others.size()) return false;
    }
    return !tree_.arrays.empty() && references(tree_.update, tree_.distance) == distances && keeps_to_itself() &&
           std::ranges::all_of(tree_.arrays, [&](const TreeArray& each) { return only_first_is_read(each.array); });
  }

  // Writes no variable of the kernel's, and goes nowhere else.
  bool keeps_to_itself() const {
    const auto effects = effects_of(tree_.update);
    if (effects.leaves || effects.continues) return false;
    const auto own = declared_in(tree_.update);
    for (const auto* reference : all_of<clang::DeclRefExpr>(tree_.update)) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl());
      if (!variable || std::ranges::find(own, variable) != own.end() ||
          std::ranges::find(tree_.arrays, variable, &TreeArray::array) != tree_.arrays.end())
        continue;
      if (writes_variable(tree_.update, variable)) return false;
    }
    return true;
  }

  // Behind the loop, and in front of it where an outer loop comes back: only array[0] is read, or a further tree.
  bool only_first_is_read(const clang::ValueDecl* array) const {
    LoopNest nest(context_);
    const Loop* here = nest.of(tree_.loop);
    const clang::Stmt* outermost = tree_.loop;
    for (const Loop* loop = here ? here->parent : nullptr; loop; loop = loop->parent) outermost = loop->statement;
    const auto from = range_of(context_.ast, outermost), loop = range_of(context_.ast, tree_.loop);
    if (!from || !loop) return false;
    std::size_t understood = 0, seen = 0;
    for (const auto* reference : all_of<clang::DeclRefExpr>(context_.kernel->getBody())) {
      const auto at = range_of(context_.ast, reference->getSourceRange());
      if (reference->getDecl() != array) continue;
      if (!at) return false;
      if (in_block_with(tree_cluster_stem, *at)) continue;  // it looks at the first element alone
      seen += at->begin >= from->begin && !loop->contains(*at);
    }
    for (const Access& access : accesses_in(context_.ast, context_.kernel->getBody())) {
      const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(access.expression->IgnoreParens());
      const auto at = subscript ? range_of(context_.ast, subscript->getSourceRange()) : std::nullopt;
      if (!at || !is_variable(subscript->getBase(), array) || at->begin < from->begin || loop->contains(*at) ||
          in_block_with(tree_cluster_stem, *at))
        continue;
      const bool in_a_tree = is_thread(context_, subscript->getIdx()) || is_sum_with_thread(subscript->getIdx());
      if (is_number(context_.ast, subscript->getIdx(), 0) || (access.writes && !access.reads) ||
          (in_a_tree && in_another_tree(nest, *at)))
        ++understood;
    }
    return seen == understood;
  }

  bool in_block_with(std::string_view declared, TextRange place) const {
    const auto blocks = all_of<clang::CompoundStmt>(context_.kernel->getBody());
    return std::ranges::any_of(blocks, [&](const clang::CompoundStmt* block) {
      const auto range = range_of(context_.ast, block);
      return range && range->contains(place) && declares(block, declared);
    });
  }

  // Is the place in a loop of the same kind, whose header says so, or in what has been made of one?
  bool in_another_tree(const LoopNest& nest, TextRange place) const {
    if (in_block_with(tree_span_stem, place)) return true;
    return std::ranges::any_of(nest.loops(), [&](const Loop& loop) {
      const auto range = range_of(context_.ast, loop.statement);
      TreeReader reader(context_);
      reader.tree_.loop = loop.statement;
      const auto* counted = loop.as_for();
      return counted && range && range->contains(place) && loop.statement != tree_.loop &&
             reader.read_header(counted) && reader.read_rounds(statements_of(counted->getBody()));
    });
  }

  bool is_sum_with_thread(const clang::Expr* expression) const {
    const auto* sum = binary_of(expression);
    return sum && sum->getOpcode() == clang::BO_Add &&
           (is_thread(context_, sum->getLHS()) || is_thread(context_, sum->getRHS()));
  }

  static std::size_t references(const clang::Stmt* statement, const clang::ValueDecl* declaration) {
    const auto all = all_of<clang::DeclRefExpr>(statement);
    return static_cast<std::size_t>(
        std::ranges::count_if(all, [&](const auto* each) { return each->getDecl() == declaration; }));
  }

  std::function<bool(const clang::Expr*)> is_distance() const {
    return [this](const clang::Expr* expression) { return is_variable(expression, tree_.distance); };
  }
  std::function<bool(const clang::Expr*)> remember_thread() {
    return [this](const clang::Expr* expression) {
      if (!is_thread(context_, expression)) return false;
      tree_.thread = text_of(context_.ast, bare(expression));
      return true;
    };
  }
  // tid + d
  std::function<bool(const clang::Expr*)> is_other() const {
    return [this](const clang::Expr* expression) {
      const auto* sum = binary_of(expression);
      if (!sum || sum->getOpcode() != clang::BO_Add) return false;
      const clang::Expr *left = sum->getLHS(), *right = sum->getRHS();
      return (is_thread(context_, left) && is_variable(right, tree_.distance)) ||
             (is_variable(left, tree_.distance) && is_thread(context_, right));
    };
  }

  const KernelContext& context_;
  SharedTree tree_;
};

}  // namespace

bool is_shuffled_tree(const clang::CompoundStmt* block) {
  return declares(block, tree_span_stem);
}

std::optional<std::string> update_on(const KernelContext& context, const SharedTree& tree,
                                     const std::vector<std::string>& own, const std::vector<std::string>& others) {
  Substitution changes(context.ast);
  for (std::size_t i = 0; i < tree.arrays.size(); ++i) {
    for (const auto* element : tree.arrays[i].own)
      changes.replace(range_of(context.ast, element->getSourceRange()), own[i]);
    for (const auto* element : tree.arrays[i].others)
      changes.replace(range_of(context.ast, element->getSourceRange()), others[i]);
  }
  std::string text = changes.text(tree.update);
  return changes.spoiled() ? std::nullopt : std::optional(std::move(text));
}

std::vector<SharedTree> shared_trees(const KernelContext& context) {
  std::vector<SharedTree> trees;
  const clang::Stmt* body = context.kernel->getBody();
  if (!body || !synchronizes(body)) return trees;
  LoopNest nest(context);
  TreeReader reader(context);
  for (const Loop& loop : nest.loops())
    if (auto tree = reader.read(loop.statement)) trees.push_back(std::move(*tree));
  return trees;
}

}  // namespace hone::frontend
