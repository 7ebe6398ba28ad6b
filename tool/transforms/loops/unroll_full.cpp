// A loop of few constant iterations written out, its index a constant in each copy. Loops inside go the same way. In
// the compact form the compiler is asked to do that.
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

constexpr long long most_copies = 64;  // of the innermost body: 16 trips leave room for 4 inside

class UnrollFull final : public LoopTransformation {
 public:
  std::string_view name() const override { return "unroll_full"; }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    return small(context, loop, 16) && !effects_of(loop.body).leaves && !is_asked_for(context, loop);
  }
  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>&) const override {
    return context.compact && !context.spec.cuda ? asked_for(context, loop)
                                                 : written_out(context, nest, loop, most_copies);
  }

 private:
  static std::string pragma(long long trips) { return "#pragma GCC unroll " + std::to_string(trips) + "\n"; }

  static bool is_asked_for(const KernelContext& context, const Loop& loop) {
    return !unrolling_of(context, loop).empty();
  }

  // A directive needs a line of its own, and a block around it where the loop is another's only statement.
  static std::optional<std::string> asked_for(const KernelContext& context, const Loop& loop) {
    Substitution inside(context.ast);
    for (Loop* child : loop.children)
      if (small(context, *child, 16) && !is_asked_for(context, *child))
        inside.replace(child->statement,
                       braces(pragma(*child->constant_trips(context.ast)) + text_of(context.ast, child->statement)));
    std::string text = inside.text(loop.statement);
    if (inside.spoiled()) return std::nullopt;
    return braces(pragma(*loop.constant_trips(context.ast)) + text);
  }

  static bool small(const KernelContext& context, const Loop& loop, long long budget) {
    auto trips = loop.constant_trips(context.ast);
    return trips && loop.constant_lower(context.ast) && *trips >= 1 && *trips <= budget;
  }

  static std::optional<std::string> written_out(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                                long long budget) {
    auto effects = effects_of(loop.body);
    if (effects.leaves) return std::nullopt;
    long long trips = *loop.constant_trips(context.ast), start = *loop.constant_lower(context.ast);
    Substitution inside(context.ast);
    for (Loop* child : loop.children) {
      if (!small(context, *child, budget / trips)) continue;
      if (auto text = written_out(context, nest, *child, budget / trips)) inside.replace(child->statement, *text);
    }
    std::string body = inside.text(loop.body);
    if (inside.spoiled()) return std::nullopt;
    std::string text;
    for (long long trip = 0; trip < trips; ++trip) {
      std::string copy = "const " + loop.type + " " + loop.variable->getNameAsString() + " = " +
                         std::to_string(start + trip * loop.step) + ";\n" + body;
      // A continue ends its own copy: a loop that runs once gives it something to continue.
      text += (effects.continues ? "do " + braces(copy) + " while (0);" : braces(copy)) + "\n";
    }
    return braces(text);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_unroll_full() {
  return std::make_unique<UnrollFull>();
}

}  // namespace hone::frontend
