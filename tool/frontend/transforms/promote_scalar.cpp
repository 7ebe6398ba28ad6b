// A memory accumulator that a loop does not move (y[i] += … over j) becomes a local for as long as the loop runs: one load,
// one store, and a reduction that compilers recognise.
#include "tool/frontend/transforms/accesses.h"
#include "tool/frontend/transforms/loop_text.h"

namespace hone::frontend {
namespace {

bool same(const Access& left, const Access& right) {
  return left.base == right.base && left.member == right.member && left.index && right.index && *left.index == *right.index;
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

class PromoteScalar final : public Transformation {
 public:
  std::string_view name() const override { return "promote_scalar"; }

  unsigned sites(const KernelContext& context) const override {
    LoopNest nest(context);
    return static_cast<unsigned>(fitting(context, nest).size());
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site, const std::vector<int>&) const override {
    LoopNest nest(context);
    auto loops = fitting(context, nest);
    if (site >= loops.size()) return std::nullopt;
    const Loop& loop = *loops[site];
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
    Edits edits(context);
    edits.replace(range_with_pragmas(context.ast, loop.statement), guard + braces(before + loop_text + "\n" + after));
    return edits.candidate();
  }

 private:
  static std::vector<Loop*> fitting(const KernelContext& context, LoopNest& nest) {
    return nest.where([&](const Loop& loop) { return !targets_of(context.ast, loop).empty(); });
  }
};

}  // namespace

std::unique_ptr<Transformation> make_promote_scalar() { return std::make_unique<PromoteScalar>(); }

}  // namespace hone::frontend
