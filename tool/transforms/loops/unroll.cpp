// Copies of an innermost loop's body, for consecutive iterations: fewer branches, and what copies share is loaded once.
// (Reductions over several running values: see lanes.cpp.)
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

class Unroll final : public LoopTransformation {
 public:
  std::string_view name() const override { return "unroll"; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{4, 2, 8, 16}};
  }

 protected:
  bool fits(const KernelContext& context, LoopNest&, const Loop& loop) const override {
    auto trips = loop.constant_trips(context.ast);
    return loop.innermost() && (!trips || *trips > 16);
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest&, const Loop& loop,
                                       const std::vector<int>& arguments) const override {
    auto effects = effects_of(loop.body);
    if (effects.leaves) return std::nullopt;
    int factor = argument(arguments, 0, 4, 2, 32);
    std::string body = text_of(context.ast, loop.body);
    if (body.empty()) return std::nullopt;
    std::string strip = fresh_name(context, loop.variable->getNameAsString() + "_strip"), copies;
    for (int copy = 0; copy < factor; ++copy) {
      std::string inside = "const " + loop.type + " " + loop.variable->getNameAsString() + " = " + strip + " + " +
                           std::to_string(copy * loop.step) + ";\n" + body;
      copies += (effects.continues ? "do " + braces(inside) + " while (0);" : braces(inside)) + "\n";
    }
    return braces(strips_header(loop, strip, factor) + braces(copies) + "\n" + tail_header(loop, factor) + body);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_unroll() {
  return std::make_unique<Unroll>();
}

}  // namespace hone::frontend
