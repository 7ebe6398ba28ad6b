// Replaces divisions by a value that a loop does not change by multiplications with its reciprocal, taken once before
// it.
//
// The result differs by a rounding; the compiler does this only where all floating arithmetic is relaxed.

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/function_attribute.h"
#include "tool/transforms/code/language_text.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

struct Site {
  const Loop* loop = nullptr;
  std::vector<const clang::BinaryOperator*> divisions;
};

bool divides(const clang::BinaryOperator* binary) {
  return (binary->getOpcode() == clang::BO_Div || binary->getOpcode() == clang::BO_DivAssign) &&
         binary->getLHS()->getType()->isRealFloatingType() && binary->getType()->isRealFloatingType();
}

const Loop* enclosing(const LoopNest& nest, const clang::Stmt* node) {
  const Loop* innermost = nullptr;
  for (const Loop& loop : nest.loops()) {
    bool inside = false;
    for (auto* binary : all_of<clang::BinaryOperator>(loop.body)) inside |= binary == node;
    if (inside && (!innermost || loop.depth > innermost->depth)) innermost = &loop;
  }
  return innermost;
}

// A value of one evaluation: in the numerator's type, without a literal 1 to divide (that one is the reciprocal
// already).
std::vector<Site> sites_of(const LoopNest& nest, const KernelContext& context) {
  std::vector<Site> found;
  if (!may_round(context.spec)) return found;
  for (auto* binary : all_of<clang::BinaryOperator>(context.kernel->getBody())) {
    if (!divides(binary)) continue;
    const Loop* loop = enclosing(nest, binary);
    if (!loop || !invariant_in(binary->getRHS(), *loop)) continue;
    auto at = std::find_if(found.begin(), found.end(), [&](const Site& site) { return site.loop == loop; });
    if (at == found.end()) at = found.insert(found.end(), Site{loop, {}});
    at->divisions.push_back(binary);
  }
  return found;
}

class Reciprocal final : public Transformation {
 public:
  std::string_view name() const override { return "reciprocal"; }
  bool is_less_exact() const override { return true; }

  unsigned sites(const KernelContext& context) const override {
    LoopNest nest(context);
    return static_cast<unsigned>(sites_of(nest, context).size());
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    LoopNest nest(context);
    auto found = sites_of(nest, context);
    return site < found.size() ? found[site].loop->statement : nullptr;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>&) const override {
    LoopNest nest(context);
    auto found = sites_of(nest, context);
    if (site >= found.size()) return std::nullopt;
    Substitution inside(context.ast);
    std::vector<std::string> divisors, names;
    std::string declarations;
    for (const clang::BinaryOperator* division : found[site].divisions) {
      std::string divisor = text_of(context.ast, division->getRHS());
      std::string type =
          division->getType().getUnqualifiedType().getAsString(clang::PrintingPolicy(context.ast.getLangOpts()));
      std::string value = converted(context.ast, type, "1") + " / " + converted(context.ast, type, divisor);
      auto at = std::find(divisors.begin(), divisors.end(), value);
      if (at == divisors.end()) {
        std::string stem = "reciprocal";
        if (!names.empty()) stem += "_of_" + std::to_string(names.size());
        divisors.push_back(value);
        names.push_back(fresh_name(context, stem));
        declarations += "const " + type + " " + names.back() + " = " + value + ";\n";
        at = divisors.end() - 1;
      }
      inside.replace(range_of(context.ast, division->getRHS()), names[at - divisors.begin()]);
      inside.replace(range_of(context.ast, clang::SourceRange(division->getOperatorLoc())),
                     division->isCompoundAssignmentOp() ? "*=" : "*");
    }
    std::string loop = inside.text(found[site].loop->statement);
    if (inside.spoiled()) return std::nullopt;
    Edits edits(context);
    edits.replace(found[site].loop->statement, "{\n" + declarations + loop + "\n}");
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_reciprocal() {
  return std::make_unique<Reciprocal>();
}

}  // namespace hone::frontend
