#include "tool/transforms/cuda/block_walk.h"

#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/block_words.h"

namespace hone::frontend {
namespace {

class WalkReader {
 public:
  WalkReader(const KernelContext& context, long long threads) : context_(context), threads_(threads) {}

  std::optional<ArrayScan> read() {
    const auto statements = statements_of(context_.kernel->getBody());
    if (statements.empty()) return std::nullopt;
    for (const clang::Stmt* statement : statements)
      if (statement != statements.back() && !read_declarations(statement)) return std::nullopt;
    const auto* walk = llvm::dyn_cast<clang::ForStmt>(statements.back());
    if (!walk || !sum_ || !read_header(walk)) return std::nullopt;
    for (const clang::Stmt* statement : statements_of(walk->getBody()))
      if (!read_step(statement)) return std::nullopt;
    return load_ && doubled_ && stored_ && carried_ ? scan() : std::nullopt;
  }

 private:
  // Shared arrays, the thread's number, and the sum that goes from piece to piece.
  bool read_declarations(const clang::Stmt* statement) {
    const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement);
    if (!declared) return false;
    return std::ranges::all_of(declared->decls(), [&](const clang::Decl* each) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (!variable) return false;
      if (is_shared(context_, variable)) return true;
      if (!variable->hasInit()) return false;
      if (is_thread(context_, variable->getInit())) return true;
      if (sum_ || !variable->getType()->isArithmeticType()) return false;
      sum_ = variable;
      return true;
    });
  }

  // for (int start = 0; start < n; start += threads)
  bool read_header(const clang::ForStmt* walk) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(walk->getInit());
    start_ = declared && declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    const auto* step = binary_of(walk->getInc());
    if (!start_ || !start_->hasInit() || !is_number(context_.ast, start_->getInit(), 0) || !walk->getCond() || !step)
      return false;
    count_ = bound_over(walk->getCond(), [&](const clang::Expr* each) { return is_variable(each, start_); });
    return count_ && step->getOpcode() == clang::BO_AddAssign && is_variable(step->getLHS(), start_) &&
           value_for_block(context_.ast, step->getRHS(), threads_) == threads_ &&
           !writes_variable(walk->getBody(), start_);
  }

  bool read_step(const clang::Stmt* statement) {
    if (is_barrier(statement)) return true;
    if (const auto* declared = llvm::dyn_cast<clang::DeclStmt>(statement)) return read_locals(declared);
    if (const auto* loop = llvm::dyn_cast<clang::ForStmt>(statement)) {
      if (doubled_ || !doubles_its_way(loop)) return false;
      doubled_ = true;
      return true;
    }
    if (const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement)) return read_store(branch);
    const auto* assignment = binary_of(statement);
    if (!assignment) return false;
    const clang::Expr *place = assignment->getLHS(), *value = assignment->getRHS();
    if (assignment->getOpcode() == clang::BO_AddAssign && is_variable(place, sum_)) {
      const auto index = shared_index(value);
      carried_ = index && value_for_block(context_.ast, *index, threads_).value_or(last_of(*index)) == threads_ - 1;
      return carried_;
    }
    const auto index = shared_index(place);
    if (doubled_ || assignment->getOpcode() != clang::BO_Assign || !index || !is_thread(context_, *index)) return false;
    return (own_ && is_variable(value, own_)) || read_load(value);
  }

  // blockDim.x - 1
  long long last_of(const clang::Expr* index) const {
    const auto* difference = binary_of(index);
    if (!difference || difference->getOpcode() != clang::BO_Sub || !is_number(context_.ast, difference->getRHS(), 1))
      return -1;
    return value_for_block(context_.ast, difference->getLHS(), threads_).value_or(0) - 1;
  }

  // The element's index, which of two buffers is in use, what the thread loads.
  bool read_locals(const clang::DeclStmt* declared) {
    return std::ranges::all_of(declared->decls(), [&](const clang::Decl* each) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(each);
      if (!variable || !variable->hasInit()) return false;
      if (is_place(variable->getInit())) return !writes_variable(context_.kernel->getBody(), variable);
      clang::Expr::EvalResult value;
      if (variable->getType()->isIntegerType() && variable->getInit()->EvaluateAsInt(value, context_.ast)) return true;
      if (own_ || !read_load(variable->getInit())) return false;
      own_ = variable;
      return !writes_variable(context_.kernel->getBody(), variable);
    });
  }

  // start + t, or a local that holds it
  bool is_place(const clang::Expr* expression) const {
    if (const clang::VarDecl* local = local_of(expression); local && local != start_ && local->hasInit())
      return local->getType()->isIntegerType() && is_place(local->getInit());
    const auto* sum = binary_of(expression->IgnoreParenCasts());
    if (!sum || sum->getOpcode() != clang::BO_Add) return false;
    return (is_variable(sum->getLHS(), start_) && is_thread(context_, sum->getRHS())) ||
           (is_thread(context_, sum->getLHS()) && is_variable(sum->getRHS(), start_));
  }

  // start + t < n
  bool is_inside(const clang::Expr* test) const {
    const clang::Expr* bound = bound_over(test, [&](const clang::Expr* each) { return is_place(each); });
    return bound && text_of(context_.ast, bare(bound)) == text_of(context_.ast, bare(count_));
  }

  // start + t < n ? … : 0
  bool read_load(const clang::Expr* value) {
    const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(bare(value));
    if (load_ || !choice || !is_inside(choice->getCond()) || !is_nothing(choice->getFalseExpr())) return false;
    load_ = choice->getTrueExpr();
    return true;
  }

  bool is_nothing(const clang::Expr* expression) const {
    expression = bare(expression);
    if (const auto* number = llvm::dyn_cast<clang::FloatingLiteral>(expression)) return number->getValue().isZero();
    return is_number(context_.ast, expression, 0);
  }

  // The last index of an element of a shared array.
  std::optional<const clang::Expr*> shared_index(const clang::Expr* expression) const {
    const auto* subscript = llvm::dyn_cast<clang::ArraySubscriptExpr>(bare(expression));
    if (!subscript || !context_.ast.hasSameUnqualifiedType(subscript->getType(), sum_->getType())) return std::nullopt;
    const clang::Expr* base = bare(subscript->getBase());
    while (const auto* row = llvm::dyn_cast<clang::ArraySubscriptExpr>(base)) base = bare(row->getBase());
    const auto* array = llvm::dyn_cast<clang::DeclRefExpr>(base);
    if (!array || !is_shared(context_, array->getDecl())) return std::nullopt;
    return subscript->getIdx();
  }

  // Each round adds to an element the one that lies a distance in front of it, where there is one, and nothing else.
  bool doubles_its_way(const clang::ForStmt* loop) const {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(loop->getInit());
    const auto* distance =
        declared && declared->isSingleDecl() ? llvm::dyn_cast<clang::VarDecl>(declared->getSingleDecl()) : nullptr;
    if (!distance || !distance->hasInit() || !is_number(context_.ast, distance->getInit(), 1) || !loop->getCond() ||
        !loop->getInc() || !doubles(context_.ast, loop->getInc(), distance))
      return false;
    const clang::Expr* bound =
        bound_over(loop->getCond(), [&](const clang::Expr* each) { return is_variable(each, distance); });
    if (!bound || value_for_block(context_.ast, bound, threads_) != threads_) return false;
    bool at_own = false, before = false;
    for (const Access& access : accesses_in(context_.ast, loop->getBody())) {
      const auto index = shared_index(access.expression);
      if (!index) return false;
      const auto* difference = binary_of(*index);
      if (is_thread(context_, *index))
        at_own = true;
      else if (difference && difference->getOpcode() == clang::BO_Sub && !access.writes &&
               is_thread(context_, difference->getLHS()) && is_variable(difference->getRHS(), distance))
        before = true;
      else
        return false;
    }
    return at_own && before && adds_once(loop->getBody()) && asks_for_one_in_front(loop->getBody(), distance);
  }

  bool adds_once(const clang::Stmt* rounds) const {
    unsigned additions = 0;
    for (const auto* operation : all_of<clang::BinaryOperator>(rounds)) {
      if (operation->isComparisonOp() || operation->getOpcode() == clang::BO_Assign) continue;
      if (!is_value(operation->getLHS()) && !is_value(operation->getRHS())) continue;
      const auto opcode = operation->getOpcode();
      if (opcode != clang::BO_Add && opcode != clang::BO_AddAssign) return false;
      ++additions;
    }
    return additions == 1 && std::ranges::all_of(all_of<clang::CallExpr>(rounds), [](const auto* call) {
             const auto* function = call->getDirectCallee();
             return is_barrier(call) ||
                    (function && function->getIdentifier() && function->getName().starts_with("__fetch_builtin"));
           });
  }

  // What is summed up: an element, or a local that holds one.
  bool is_value(const clang::Expr* expression) const {
    if (shared_index(expression)) return true;
    const clang::VarDecl* local = local_of(expression);
    return local && !is_thread(context_, expression) && local != start_ && local->getType()->isArithmeticType() &&
           !local->getType()->isIntegerType();
  }

  // t >= d, d <= t
  bool asks_for_one_in_front(const clang::Stmt* rounds, const clang::VarDecl* distance) const {
    const auto tests = all_of<clang::BinaryOperator>(rounds);
    return std::ranges::any_of(tests, [&](const clang::BinaryOperator* test) {
      const clang::Expr *left = test->getLHS(), *right = test->getRHS();
      if (test->getOpcode() == clang::BO_LE) std::swap(left, right);
      return (test->getOpcode() == clang::BO_GE || test->getOpcode() == clang::BO_LE) && is_thread(context_, left) &&
             is_variable(right, distance);
    });
  }

  // if (start + t < n) y[start + t] = …
  bool read_store(const clang::IfStmt* branch) {
    const auto inside = statements_of(branch->getThen());
    const auto* assignment = inside.size() == 1 ? binary_of(inside[0]) : nullptr;
    if (stored_ || !doubled_ || branch->getElse() || !is_inside(branch->getCond()) || !assignment ||
        assignment->getOpcode() != clang::BO_Assign || !adds_up(assignment->getRHS()))
      return false;
    stored_ = assignment->getLHS();
    return mentions(assignment->getRHS(), sum_) && !carried_ && (inclusive_ || exclusive_) && inclusive_ != exclusive_;
  }

  // Made of the carried sum and of the thread's own element (inclusive), the one in front of it, or without what the
  // thread loaded (exclusive).
  bool adds_up(const clang::Expr* expression) {
    expression = bare(expression);
    if (is_variable(expression, sum_) || is_nothing(expression)) return true;
    if (const auto index = shared_index(expression)) {
      const auto* difference = binary_of(*index);
      const bool in_front = difference && difference->getOpcode() == clang::BO_Sub &&
                            is_thread(context_, difference->getLHS()) &&
                            is_number(context_.ast, difference->getRHS(), 1);
      if (in_front) return exclusive_ = true;
      return is_thread(context_, *index) && (inclusive_ = true);
    }
    if (const auto* choice = llvm::dyn_cast<clang::ConditionalOperator>(expression))
      return is_about_first(choice->getCond()) && adds_up(choice->getTrueExpr()) && adds_up(choice->getFalseExpr());
    const auto* operation = binary_of(expression);
    if (!operation) return false;
    if (operation->getOpcode() == clang::BO_Add) return adds_up(operation->getLHS()) && adds_up(operation->getRHS());
    if (operation->getOpcode() != clang::BO_Sub || !own_ || !is_variable(operation->getRHS(), own_) ||
        !adds_up(operation->getLHS()) || !inclusive_)
      return false;
    inclusive_ = false;
    return exclusive_ = true;
  }

  // t > 0, t == 0, t, …
  bool is_about_first(const clang::Expr* test) const {
    const auto* comparison = binary_of(test);
    return is_thread(context_, bare(test)) ||
           (comparison && comparison->isComparisonOp() && is_thread(context_, comparison->getLHS()));
  }

  // With the element's index in place of start + t; nullopt: it is mentioned otherwise.
  std::optional<std::string> at_index(const clang::Expr* expression, const std::string& index) const {
    Substitution changes(context_.ast);
    if (!put_index(expression, index, changes)) return std::nullopt;
    const std::string text = changes.text(expression);
    return changes.spoiled() ? std::nullopt : std::optional(text);
  }

  bool put_index(const clang::Stmt* part, const std::string& index, Substitution& changes) const {
    const auto* expression = llvm::dyn_cast<clang::Expr>(part);
    if (expression && is_place(expression)) {
      changes.replace(range_of(context_.ast, expression->getSourceRange()), index);
      return true;
    }
    if (expression && builtin_index(expression)) return false;
    if (const auto* reference = llvm::dyn_cast<clang::DeclRefExpr>(part))
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(reference->getDecl()))
        if (variable->isLocalVarDecl()) return false;
    return std::ranges::all_of(part->children(),
                               [&](const auto* child) { return !child || put_index(child, index, changes); });
  }

  std::optional<ArrayScan> scan() const {
    ArrayScan found;
    found.index = fresh_name(context_, "item");
    found.index_type = plain_type(context_.ast, start_->getType());
    found.count = count_;
    found.type = plain_type(context_.ast, sum_->getType().getCanonicalType());
    found.initial = text_of(context_.ast, sum_->getInit());
    found.sum = fresh_name(context_, "running");
    found.own = fresh_name(context_, "own");
    const auto load = at_index(load_, found.index), place = at_index(stored_, found.index);
    if (!load || !place || found.type.empty() || found.index_type.empty() || found.initial.empty()) return std::nullopt;
    found.increment = found.own + " = " + *load + ";\n";
    const std::string grow = found.sum + " += " + found.own + ";\n", store = *place + " = " + found.sum + ";\n";
    found.body = inclusive_ ? grow + store : store + grow;
    found.written = stored_;
    found.written_text = *place;
    return found;
  }

  const KernelContext& context_;
  long long threads_;
  const clang::VarDecl *sum_ = nullptr, *start_ = nullptr, *own_ = nullptr;
  const clang::Expr *count_ = nullptr, *load_ = nullptr, *stored_ = nullptr;
  bool doubled_ = false, carried_ = false, inclusive_ = false, exclusive_ = false;
};

}  // namespace

std::optional<ArrayScan> by_one_block(const KernelContext& context, const Launch& launch) {
  const auto grid = constant_shape(context, launch, 0);
  const auto threads = threads_along_x(context);
  if (!grid || *grid != std::array<long long, 3>{1, 1, 1} || !threads || !synchronizes(context.kernel->getBody()))
    return std::nullopt;
  return WalkReader(context, *threads).read();
}

}  // namespace hone::frontend
