// A memory accumulator that a loop does not move (y[i] += … over j) becomes a local for as long as the loop runs: one
// load, one store, and a reduction that compilers recognize.
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
    for (const Target& target : targets_of(context.ast, loop)) {
      std::string place = text_of(context.ast, target.access.expression);
      std::string type = plain_type(context.ast, target.access.expression->getType());
      if (place.empty() || type.empty()) continue;
      std::string stem = target.access.base->getNameAsString() + "_value";
      std::string name = fresh_name(context, stem);
      while (taken.find(" " + name + " ") != std::string::npos) name = fresh_name(context, name + "_next");
      taken += " " + name + " ";
      before += type + " " + name + " = " + place + ";\n";
      after += place + " = " + name + ";\n";
      for (const clang::Expr* mention : target.mentions) inside.replace(mention, name);
    }
    if (before.empty()) return std::nullopt;
    std::string loop_text = inside.text(loop.statement);
    if (inside.spoiled()) return std::nullopt;
    // A loop that never runs must not touch the place: it may not exist.
    std::string guard = loop.counted ? "if (" + loop.lower_text + " < " + loop.upper_text + ") " : "";
    return guard + braces(before + loop_text + "\n" + after);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_promote_scalar() {
  return std::make_unique<PromoteScalar>();
}

}  // namespace hone::frontend
