// Loops whose every iteration asks whether it lies inside of something (a filter at a picture's border) ask once: where
// the first and the last iterations lie inside, all do, and a copy of the loops without the question runs.
//
//   for t: { at = i + t - h; if (at >= 0 && at < n) sum += x[at] * w[t]; }
//
// Loops around it that only declare things in front of the next loop (the items of `elements`) take part. That holds of
// conditions that are linear in the loops' variables, as borders are.
//
// Indices that are clamped to what is there are asked alike, wherever in the loops they stand: the copy takes them as
// they are.
#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"
#include "tool/transforms/cuda/borders/clamps.h"

namespace hone::frontend {
namespace {

constexpr std::size_t most_loops = 3;
constexpr long long most_unrolled = 8;

// A loop, and what its body declares in front of the next loop or of the question.
struct LoopLevel {
  const Loop* loop = nullptr;
  std::vector<const clang::Stmt*> declarations;
};

struct Nest {
  std::vector<LoopLevel> levels;  // outermost first
  const clang::IfStmt* question = nullptr;
};

bool compares(const clang::Expr* test) {
  test = test->IgnoreParenImpCasts();
  const auto* binary = llvm::dyn_cast<clang::BinaryOperator>(test);
  if (!binary) return false;
  if (binary->getOpcode() == clang::BO_LAnd) return compares(binary->getLHS()) && compares(binary->getRHS());
  return binary->isRelationalOp() && binary->getLHS()->getType()->isIntegerType();
}

// Calls of clamps are as good as none.
bool may_repeat(const clang::ASTContext& ast, const clang::Stmt* statement, const std::vector<Clamp>& clamps) {
  return accesses_in(ast, statement).empty() &&
         std::ranges::all_of(all_of<clang::CallExpr>(statement), [&](const clang::CallExpr* call) {
           return std::ranges::any_of(clamps, [&](const Clamp& clamp) { return holds(clamp.whole, call); });
         });
}

// The loop that is one of the body's own statements; null: there is none, or others beside it.
const Loop* child_of(const Loop& loop) {
  if (loop.children.size() != 1 || !loop.children.front()->counted) return nullptr;
  const auto statements = statements_of(loop.body);
  const bool own =
      std::find(statements.begin(), statements.end(), loop.children.front()->statement) != statements.end();
  return own ? loop.children.front() : nullptr;
}

std::optional<Nest> nest_of(const KernelContext& context, const Loop& top, const std::vector<Clamp>& clamps) {
  Nest nest;
  for (const Loop* loop = &top; loop; loop = child_of(*loop)) {
    for (const LoopLevel& outer : nest.levels)
      if (mentions(loop->lower, outer.loop->variable) || mentions(loop->upper, outer.loop->variable))
        return std::nullopt;
    if (!loop->owns_variable) return std::nullopt;
    LoopLevel level{loop, {}};
    const Loop* child = child_of(*loop);
    for (const clang::Stmt* statement : statements_of(loop->body)) {
      if (child && statement == child->statement) break;
      if (!llvm::isa<clang::DeclStmt>(statement)) {
        if (child || !loop->innermost() || statement != statements_of(loop->body).back()) return std::nullopt;
        nest.question = llvm::dyn_cast<clang::IfStmt>(statement);
        break;
      }
      if (!may_repeat(context.ast, statement, clamps)) return std::nullopt;
      level.declarations.push_back(statement);
    }
    nest.levels.push_back(std::move(level));
  }
  if (nest.levels.size() > most_loops || !nest.question || nest.question->getElse() || nest.question->getInit() ||
      nest.question->getConditionVariable() || !compares(nest.question->getCond()) ||
      !may_repeat(context.ast, nest.question->getCond(), clamps))
    return std::nullopt;
  return nest;
}

std::string text_of_all(const Substitution& changes, const std::vector<const clang::Stmt*>& statements) {
  std::string text;
  for (const clang::Stmt* statement : statements) text += changes.text(statement) + "\n";
  return text;
}

bool has_question(const KernelContext& context, const Loop& loop) {
  return nest_of(context, loop, clamps_in(context, loop)).has_value();
}

// The condition as it is at all ends of the loops' ranges, on a variable that is true so far.
std::string asked_at_corners(const KernelContext& context, const Nest& nest, const std::string& inside) {
  const Substitution plain(context.ast);
  std::string text;
  for (unsigned corner = 0; corner < 1u << nest.levels.size(); ++corner) {
    std::string at;
    for (std::size_t i = 0; i < nest.levels.size(); ++i) {
      const Loop& one = *nest.levels[i].loop;
      at += "const " + one.type + " " + one.variable->getNameAsString() + " = " +
            (corner >> i & 1 ? one.upper_text + " - 1" : one.lower_text) + ";\n" +
            text_of_all(plain, nest.levels[i].declarations);
    }
    text += braces(at + inside + " = " + inside + " && (" + plain.text(nest.question->getCond()) + ");") + "\n";
  }
  return text;
}

// What must hold of all clamps, each test once; "" where there are none.
std::string tests_of(const std::vector<Clamp>& clamps) {
  std::vector<std::string> tests;
  for (const Clamp& clamp : clamps)
    for (const std::string& test : clamp.tests)
      if (std::ranges::find(tests, test) == tests.end()) tests.push_back(test);
  std::string text;
  for (const std::string& test : tests) text += (text.empty() ? "" : " && ") + test;
  return text;
}

class Interior final : public LoopTransformation {
 public:
  std::string_view name() const override { return "interior"; }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    const Loop* parent = loop.parent && loop.parent->counted ? loop.parent : nullptr;
    if (has_question(context, loop)) return !(parent && child_of(*parent) == &loop && has_question(context, *parent));
    const std::size_t clamps = clamps_in(context, loop).size();
    return clamps > 0 && !(parent && takes_all(context, *parent, loop));
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>&) const override {
    const std::vector<Clamp> clamps = clamps_in(context, loop);
    const auto nest = nest_of(context, loop, clamps);
    if (!nest && clamps.empty()) return std::nullopt;
    const std::string inside = fresh_name(context, "inside"), tests = tests_of(clamps);
    std::string text = "const bool " + inside + " = " + tests + ";\n";
    if (nest) {
      text = "bool " + inside + " = true";
      for (const LoopLevel& level : nest->levels)
        text += " && " + level.loop->lower_text + " < " + level.loop->upper_text;
      text += (tests.empty() ? "" : " && " + tests) + ";\n" + asked_at_corners(context, *nest, inside);
    }
    const Substitution plain(context.ast);
    Substitution unasked(context.ast);
    take_off(unasked, context.ast, loop, clamps);
    if (nest) unasked.replace(nest->question, unasked.text(nest->question->getThen()));
    // Copies of a few steps share what they read once nothing comes between them.
    const auto trips = loop.constant_trips(context.ast);
    const std::string unroll = trips && *trips <= most_unrolled ? "\n#pragma unroll\n" : "";
    text += "if (" + inside + ") " + braces(unroll + unasked.text(loop.statement)) + " else " +
            braces(plain.text(loop.statement));
    if (plain.spoiled() || unasked.spoiled()) return std::nullopt;
    return braces(text);
  }

 private:
  // Are the loop's clamps all among those that a loop around it takes?
  static bool takes_all(const KernelContext& context, const Loop& around, const Loop& loop) {
    const std::vector<Clamp> all = clamps_in(context, around);
    return std::ranges::all_of(clamps_in(context, loop), [&](const Clamp& own) {
      return std::ranges::any_of(all, [&](const Clamp& clamp) { return clamp.whole == own.whole; });
    });
  }
};

}  // namespace

std::unique_ptr<Transformation> make_interior() {
  return std::make_unique<Interior>();
}

}  // namespace hone::frontend
