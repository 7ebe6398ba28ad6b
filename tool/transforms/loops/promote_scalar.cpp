// A memory accumulator that a loop does not move (y[i] += … over j) becomes a local for as long as the loop runs: one
// load, one store, and a reduction that compilers recognize.
#include <algorithm>

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

bool same(const Access& left, const Access& right) {
  return left.base == right.base && left.member == right.member && left.index && right.index &&
         *left.index == *right.index;
}

struct Target {
  Access access;
  std::vector<const clang::Expr*> mentions;
};

// What `loop` updates in memory at a place that it does not move: every access to that place in the loop.
std::vector<Target> targets_of(const clang::ASTContext& ast, const Loop& loop) {
  std::vector<Target> targets;
  auto accesses = accesses_in(ast, loop.body);
  for (const Access& access : accesses) {
    if (!access.writes || !access.base || !access.index || !access.expression->getType()->isArithmeticType()) continue;
    bool moves = false;
    for (auto* local : declared_in(loop.statement)) moves |= mentions(access.expression, local);
    for (auto* reference : all_of<clang::DeclRefExpr>(access.expression))
      moves |= reference->getDecl() == loop.variable || writes_variable(loop.statement, reference->getDecl());
    for (auto* member : all_of<clang::MemberExpr>(access.expression))
      for (const Access& other : accesses)
        moves |= member != access.expression && other.writes && other.base == member->getMemberDecl() &&
                 llvm::isa<clang::MemberExpr>(other.expression);
    if (moves) continue;
    bool known = false;
    for (const Target& target : targets) known |= same(target.access, access);
    if (known) continue;
    Target target{access, {}};
    for (const Access& other : accesses)
      if (same(other, access)) target.mentions.push_back(other.expression);
    targets.push_back(std::move(target));
  }
  return targets;
}

// For people: where the statement in front of the loop sets the place, the local starts with that value, and the place
// is written once, behind the loop. It exists, so that the loop may run never.
struct SetBefore {
  const clang::Stmt* statement;
  const clang::Expr* value;
};

// The statements in front of `loop` in its block that each set one of the targets, in the targets' order; empty unless
// each target has one.
std::vector<SetBefore> set_before(const clang::ASTContext& ast, const Loop& loop, const std::vector<Target>& targets,
                                  const clang::CompoundStmt* block) {
  std::vector<const clang::BinaryOperator*> in_front;
  for (const clang::Stmt* statement : block->body()) {
    if (statement == loop.statement) break;
    const auto* assignment = llvm::dyn_cast<clang::BinaryOperator>(statement);
    if (assignment && assignment->getOpcode() == clang::BO_Assign)
      in_front.push_back(assignment);
    else
      in_front.clear();
  }
  if (in_front.size() < targets.size()) return {};
  in_front.erase(in_front.begin(), in_front.end() - static_cast<std::ptrdiff_t>(targets.size()));
  std::vector<SetBefore> found;
  for (const Target& target : targets)
    for (const auto* assignment : in_front)
      for (const Access& access : accesses_in(ast, assignment))
        if (access.writes && same(access, target.access) && assignment->getRHS()->isEvaluatable(ast))
          found.push_back({assignment, assignment->getRHS()});
  return found.size() == targets.size() ? found : std::vector<SetBefore>();
}

const clang::CompoundStmt* block_of(const clang::FunctionDecl* function, const clang::Stmt* loop) {
  for (const auto* block : all_of<clang::CompoundStmt>(function->getBody()))
    for (const clang::Stmt* statement : block->body())
      if (statement == loop) return block;
  return nullptr;
}

class PromoteScalar final : public LoopTransformation {
 public:
  std::string_view name() const override { return "promote_scalar"; }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return !targets_of(context.ast, loop).empty();
  }
  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>&) const override {
    if (effects_of(loop.body).leaves) return std::nullopt;
    Substitution inside(context.ast);
    std::string before, after, taken;
    const std::vector<Target> targets = targets_of(context.ast, loop);
    const std::vector<SetBefore> starts = starts_of(context, loop, targets);
    for (const Target& target : targets) {
      std::string place = text_of(context.ast, target.access.expression);
      std::string type = plain_type(context.ast, target.access.expression->getType());
      if (place.empty() || type.empty()) continue;
      std::string stem = target.access.base->getNameAsString() + "_value";
      std::string name = fresh_name(context, stem);
      while (taken.find(" " + name + " ") != std::string::npos) name = fresh_name(context, name + "_next");
      taken += " " + name + " ";
      const auto index = static_cast<std::size_t>(&target - targets.data());
      const std::string start = starts.empty() ? place : text_of(context.ast, starts[index].value);
      if (start.empty()) return std::nullopt;
      before += type + " " + name + " = " + start + ";\n";
      after += place + " = " + name + ";\n";
      for (const clang::Expr* mention : target.mentions) inside.replace(mention, name);
    }
    if (before.empty()) return std::nullopt;
    std::string loop_text = inside.text(loop.statement);
    if (inside.spoiled()) return std::nullopt;
    // A loop that never runs must not touch the place: it may not exist.
    std::string guard = loop.counted && starts.empty() ? "if (" + loop.lower_text + " < " + loop.upper_text + ") " : "";
    return guard + braces(before + loop_text + "\n" + after);
  }

  std::optional<TextRange> range(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    auto whole = LoopTransformation::range(context, nest, loop);
    const std::vector<SetBefore> starts = starts_of(context, loop, targets_of(context.ast, loop));
    for (const SetBefore& start : starts)
      if (const auto place = range_of(context.ast, start.statement); place && whole)
        whole->begin = std::min(whole->begin, place->begin);
    return whole;
  }

 private:
  static std::vector<SetBefore> starts_of(const KernelContext& context, const Loop& loop,
                                          const std::vector<Target>& targets) {
    const clang::CompoundStmt* block = context.compact ? block_of(context.kernel, loop.statement) : nullptr;
    if (!block) return {};
    for (const Target& target : targets)
      if (plain_type(context.ast, target.access.expression->getType()).empty()) return {};
    return set_before(context.ast, loop, targets, block);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_promote_scalar() {
  return std::make_unique<PromoteScalar>();
}

}  // namespace hone::frontend
