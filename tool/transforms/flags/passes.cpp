// Switches single optimization passes for the kernel alone: the compiler's own order of loops or unrolling is sometimes
// in the way of the one that the source now spells out.
//
// g++ only; Clang ignores the attribute. None of them changes what arithmetic means.

#include "tool/transforms/code/function_attribute.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {
namespace {

// In the order of the argument. The first: jamming copies of an outer loop keeps blocks of accumulators out of
// registers.
constexpr const char* switches[] = {
    R"(optimize("no-loop-unroll-and-jam"))",
    R"(optimize("unroll-loops"))",
    R"(optimize("no-tree-slp-vectorize"))",
    R"(optimize("no-tree-loop-distribution", "no-loop-interchange"))",
};
constexpr int last = static_cast<int>(std::size(switches)) - 1;

class CompilerPasses final : public Transformation {
 public:
  std::string_view name() const override { return "passes"; }

  unsigned sites(const KernelContext& context) const override {
    return heeds_attributes(context) && !LoopNest(context).loops().empty() ? 1 : 0;
  }

  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    std::vector<int> all;
    for (int choice = 0; choice <= last; ++choice) all.push_back(choice);
    return {all};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    std::string wanted = switches[argument(arguments, 0, 0, 0, last)];
    if (has_attribute(context, wanted)) return std::nullopt;
    Edits edits(context);
    add_attribute(edits, context, wanted);
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_compiler_passes() {
  return std::make_unique<CompilerPasses>();
}

}  // namespace hone::frontend
