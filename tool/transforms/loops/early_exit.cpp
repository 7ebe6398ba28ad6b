// A loop that may end early looks ahead: whether any iteration of a strip would end it is found out at once, side by
// side, and as long as none does they all run without the question.
//
//   while (i < n && a[i] == b[i]) ++i;
//   → while (i < n && n - i >= 32) {
//       unsigned char ends = 0;
//       for (int lane = 0; lane < 32; ++lane) ends |= !(a[i + lane] == b[i + lane]);
//       if (ends) break;
//       i += 32;
//     }
//     while (i < n && a[i] == b[i]) ++i;
// It reads up to a strip beyond the place where the original stops, within the loop's bounds.
#include <algorithm>
#include <set>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {
namespace {

using Statements = std::vector<const clang::Stmt*>;

// A loop over variables that move by one, up to a bound unless something ends it before.
struct Search {
  std::vector<const clang::VarDecl*> moving;
  const clang::VarDecl* bounded = nullptr;
  const clang::Expr* bound = nullptr;
  std::vector<const clang::Expr*> holding;  // what must hold for an iteration to run, beside the bound
  const clang::IfStmt* exit = nullptr;      // the statement that leaves
  Statements work;                          // all others but the moves
};

bool has_no_effect(const clang::Stmt* statement) {
  if (effects_of(statement).calls_unknown) return false;
  for (auto* unary : all_of<clang::UnaryOperator>(statement))
    if (unary->isIncrementDecrementOp()) return false;
  return std::ranges::none_of(all_of<clang::BinaryOperator>(statement), [](auto* binary) {
    return binary->isAssignmentOp() || binary->getOpcode() == clang::BO_Comma;
  });
}

void add_parts(const clang::Expr* condition, clang::BinaryOperatorKind kind, std::vector<const clang::Expr*>& parts) {
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(condition->IgnoreParens());
  if (!binary || binary->getOpcode() != kind) return parts.push_back(condition);
  add_parts(binary->getLHS(), kind, parts);
  add_parts(binary->getRHS(), kind, parts);
}

// ++v, v++, v += 1: v; null: it is something else.
const clang::VarDecl* moved_by_one(const clang::ASTContext& ast, const clang::Stmt* statement) {
  if (const auto* unary = llvm::dyn_cast<clang::UnaryOperator>(statement))
    return unary->isIncrementOp() ? local_variable(unary->getSubExpr()) : nullptr;
  const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
  if (!assignment || assignment->getOpcode() != clang::BO_AddAssign) return nullptr;
  const auto by = IndexPolynomial::of(ast, assignment->getRHS());
  return by && by->as_constant() == 1 ? local_variable(assignment->getLHS()) : nullptr;
}

bool add_moves(const clang::ASTContext& ast, const clang::Expr* increment, Search& search) {
  std::vector<const clang::Expr*> parts;
  if (increment) add_parts(increment, clang::BO_Comma, parts);
  return std::ranges::all_of(parts, [&](const clang::Expr* part) {
    const auto* variable = moved_by_one(ast, part->IgnoreParens());
    if (variable) search.moving.push_back(variable);
    return variable != nullptr;
  });
}

// Moves stand behind everything else of the body, since the rest is to see what the condition saw.
bool add_body(const clang::ASTContext& ast, const clang::Stmt* body, Search& search) {
  const std::size_t in_header = search.moving.size();
  for (const clang::Stmt* statement : statements_of(body)) {
    if (const auto* moved = moved_by_one(ast, statement); moved && !declares(body, moved)) {
      search.moving.push_back(moved);
      continue;
    }
    const Effects effects = effects_of(statement);
    const auto* branch = llvm::dyn_cast<clang::IfStmt>(statement);
    if (effects.continues || search.moving.size() > in_header) return false;
    if (!effects.leaves)
      search.work.push_back(statement);
    else if (branch && !search.exit && !branch->getElse())
      search.exit = branch;
    else
      return false;
  }
  return true;
}

// v < bound, bound > v, v != bound.
bool is_bound(const clang::Expr* part, const std::set<const clang::ValueDecl*>& changing, Search& search) {
  const auto* comparison = llvm::dyn_cast<clang::BinaryOperator>(part->IgnoreParens());
  if (!comparison) return false;
  const bool turned = comparison->getOpcode() == clang::BO_GT;
  if (!turned && comparison->getOpcode() != clang::BO_LT && comparison->getOpcode() != clang::BO_NE) return false;
  const clang::Expr *left = comparison->getLHS(), *right = comparison->getRHS();
  if (turned) std::swap(left, right);
  const auto* variable = local_variable(left);
  if (!variable || std::ranges::count(search.moving, variable) == 0 || !has_no_effect(right)) return false;
  if (mentions_any(right, changing) || !variable->getType()->isScalarType()) return false;
  search.bounded = variable;
  search.bound = right;
  return true;
}

// What the questions look at is what they would see in their iteration: nothing that the loop's work changes.
bool sees_ahead(const clang::ASTContext& ast, const Search& search, const std::set<const clang::ValueDecl*>& changing) {
  std::vector<const clang::Stmt*> questions(search.holding.begin(), search.holding.end());
  if (search.exit) questions.push_back(search.exit->getCond());
  for (const clang::Stmt* statement : search.work)
    if (llvm::isa<clang::DeclStmt>(statement)) questions.push_back(statement);
  std::set<const clang::ValueDecl*> others = changing;
  for (auto* variable : search.moving) others.erase(variable);
  for (const clang::Stmt* question : questions) {
    if (!has_no_effect(question) || mentions_any(question, others)) return false;
    for (const Access& read : accesses_in(ast, question))
      for (const clang::Stmt* statement : search.work)
        for (const Access& write : accesses_in(ast, statement))
          if (write.writes && (!read.base || !write.base || read.base == write.base)) return false;
  }
  return true;
}

bool moves_once(const Search& search) {
  for (auto* variable : search.moving) {
    const bool scalar = variable->getType()->isIntegerType() || variable->getType()->isPointerType();  // no reference
    if (!scalar || std::ranges::count(search.moving, variable) != 1) return false;
    const auto changed = [&](const clang::Stmt* statement) { return writes_variable(statement, variable); };
    if (std::ranges::any_of(search.work, changed) || std::ranges::any_of(search.holding, changed)) return false;
  }
  return true;
}

std::optional<Search> search_of(const clang::ASTContext& ast, const Loop& loop) {
  const clang::ForStmt* counting = loop.as_for();
  const auto* repeated = llvm::dyn_cast<clang::WhileStmt>(loop.statement);
  if (!loop.innermost() || (!counting && !repeated)) return std::nullopt;
  if (counting ? counting->getConditionVariable() : repeated->getConditionVariable()) return std::nullopt;
  const clang::Expr* condition = counting ? counting->getCond() : repeated->getCond();
  if (!condition) return std::nullopt;
  Search search;
  if (counting && !add_moves(ast, counting->getInc(), search)) return std::nullopt;
  if (!add_body(ast, loop.body, search) || search.moving.empty() || !moves_once(search)) return std::nullopt;
  std::set<const clang::ValueDecl*> changing;
  for (auto* written : written_in(loop.statement))
    if (written && !declares(loop.body, written)) changing.insert(written);
  std::vector<const clang::Expr*> parts;
  add_parts(condition, clang::BO_LAnd, parts);
  for (const clang::Expr* part : parts)
    if (search.bounded || !is_bound(part, changing, search)) search.holding.push_back(part);
  const bool ends = search.exit || !search.holding.empty();
  return ends && search.bounded && sees_ahead(ast, search, changing) ? std::optional(search) : std::nullopt;
}

class LookingAhead {
 public:
  LookingAhead(const KernelContext& context, const Loop& loop, const Search& search, int width)
      : context_(context), loop_(loop), search_(search), width_(width) {
    lane_ = fresh_name(context, "lane");
    ends_ = fresh_name(context, "ends");
  }

  // "": it cannot be written.
  std::string text() {
    const std::string bounded = search_.bounded->getNameAsString(), whole = std::to_string(width_);
    const std::string bound = "(" + in_place(search_.bound) + ")";
    std::string inside =
        "while (" + bounded + " < " + bound + " && " + bound + " - " + bounded + " >= " + whole + ") {\n";
    inside += ends_type() + " " + ends_ + " = 0;\n" + each_lane(questions()) + "if (" + ends_ + ") break;\n";
    if (std::ranges::any_of(search_.work, [](auto* statement) { return !llvm::isa<clang::DeclStmt>(statement); }))
      inside += each_lane(all_of_lane(search_.work));
    for (auto* variable : search_.moving) inside += variable->getNameAsString() + " += " + whole + ";\n";
    const std::string start = start_of_loop(), rest = rest_of_loop();
    return refused_ ? "" : braces(start + inside + "}\n" + rest);
  }

 private:
  std::string in_place(const clang::Stmt* node) {
    std::string text = text_of(context_.ast, node);
    refused_ |= text.empty();
    return text;
  }

  // `node` as the lane's iteration sees it.
  std::string of_lane(const clang::Stmt* node) {
    Substitution substitution(context_.ast);
    for (auto* variable : search_.moving)
      substitution.rename(node, variable, "(" + variable->getNameAsString() + " + " + lane_ + ")");
    std::string text = substitution.text(node);
    refused_ |= substitution.spoiled() || text.empty();
    return text;
  }

  std::string all_of_lane(const Statements& statements) {
    std::string text;
    for (const clang::Stmt* statement : statements) text += of_lane(statement) + "\n";
    return text;
  }

  std::string each_lane(const std::string& inside) const {
    return "for (int " + lane_ + " = 0; " + lane_ + " < " + std::to_string(width_) + "; ++" + lane_ + ") " +
           braces(inside) + "\n";
  }

  std::string questions() {
    Statements declarations;
    for (const clang::Stmt* statement : search_.work)
      if (llvm::isa<clang::DeclStmt>(statement)) declarations.push_back(statement);
    std::string text = all_of_lane(declarations);
    std::vector<const clang::Expr*> ending;
    if (search_.exit) add_parts(search_.exit->getCond(), clang::BO_LOr, ending);
    for (const clang::Expr* part : search_.holding) text += ends_ + " |= !(" + of_lane(part) + ");\n";
    for (const clang::Expr* part : ending) text += ends_ + " |= (" + of_lane(part) + ") ? 1 : 0;\n";
    return text;
  }

  // As wide as what the questions read, so that vectors of answers need no conversion.
  std::string ends_type() const {
    long long bytes = 0;
    const auto look_at = [&](const clang::Stmt* node) {
      for (const Access& access : accesses_in(context_.ast, node))
        bytes = std::max<long long>(bytes, context_.ast.getTypeSizeInChars(access.expression->getType()).getQuantity());
    };
    for (const clang::Expr* part : search_.holding) look_at(part);
    for (const clang::Stmt* statement : search_.work)
      if (llvm::isa<clang::DeclStmt>(statement)) look_at(statement);
    if (search_.exit) look_at(search_.exit->getCond());
    return bytes == 1   ? "unsigned char"
           : bytes == 2 ? "unsigned short"
           : bytes == 8 ? "unsigned long long"
                        : "unsigned";
  }

  std::string start_of_loop() {
    const auto* counting = loop_.as_for();
    if (!counting || !counting->getInit() || llvm::isa<clang::NullStmt>(counting->getInit())) return {};
    const std::string text = in_place(counting->getInit());
    return text + (text.ends_with(";") ? "\n" : ";\n");
  }

  std::string rest_of_loop() {
    const auto* counting = loop_.as_for();
    if (!counting) return in_place(loop_.statement);
    const std::string step = counting->getInc() ? in_place(counting->getInc()) : "";
    return "for (; " + in_place(counting->getCond()) + "; " + step + ") " + in_place(loop_.body);
  }

  const KernelContext& context_;
  const Loop& loop_;
  const Search& search_;
  const int width_;
  std::string lane_, ends_;
  bool refused_ = false;
};

// Loops that are searches, in source order.
std::vector<const Loop*> searches(const KernelContext& context, const LoopNest& nest) {
  std::vector<const Loop*> found;
  for (const Loop& loop : nest.loops())
    if (search_of(context.ast, loop)) found.push_back(&loop);
  return found;
}

class EarlyExit final : public Transformation {
 public:
  std::string_view name() const override { return "early_exit"; }

  unsigned sites(const KernelContext& context) const override {
    const LoopNest nest(context);
    return static_cast<unsigned>(searches(context, nest).size());
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    const LoopNest nest(context);
    const auto found = searches(context, nest);
    return site < found.size() ? found[site]->statement : nullptr;
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{32, 16, 64, 128}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>& arguments) const override {
    const LoopNest nest(context);
    const auto found = searches(context, nest);
    if (site >= found.size()) return std::nullopt;
    const auto search = search_of(context.ast, *found[site]);
    const int width = arguments.empty() ? 32 : std::clamp(arguments.front(), 2, 1024);
    const std::string text = LookingAhead(context, *found[site], *search, width).text();
    if (text.empty()) return std::nullopt;
    Edits edits(context);
    edits.replace(range_with_pragmas(context.ast, found[site]->statement), text);
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_early_exit() {
  return std::make_unique<EarlyExit>();
}

}  // namespace hone::frontend
