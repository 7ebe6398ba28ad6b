// Joins a loop with the next one of equal bounds: what the first wrote is still in a register when the second reads it.
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/code/loop_transformation.h"

namespace hone::frontend {
namespace {

// The loop directly behind `loop` in the same block, when it runs over the same range.
const Loop* next_of(const KernelContext& context, LoopNest& nest, const Loop& loop) {
  for (auto* block : all_of<clang::CompoundStmt>(context.kernel->getBody())) {
    auto statements = statements_of(block);
    for (std::size_t at = 0; at + 1 < statements.size(); ++at) {
      if (statements[at] != loop.statement) continue;
      const Loop* next = nest.of(statements[at + 1]);
      bool equal = next && next->counted && next->step == loop.step && next->type == loop.type &&
                   next->lower_text == loop.lower_text && next->upper_text == loop.upper_text;
      return equal ? next : nullptr;
    }
  }
  return nullptr;
}

class Fusion final : public LoopTransformation {
 public:
  std::string_view name() const override { return "fusion"; }

 protected:
  bool fits(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    return next_of(context, nest, loop) != nullptr;
  }

  std::optional<TextRange> range(const KernelContext& context, LoopNest& nest, const Loop& loop) const override {
    auto first = range_with_pragmas(context.ast, loop.statement),
         second = range_of(context.ast, next_of(context, nest, loop)->statement);
    if (!first || !second) return std::nullopt;
    return TextRange{first->begin, second->end};
  }

  std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                       const std::vector<int>&) const override {
    const Loop& next = *next_of(context, nest, loop);
    for (const Loop* part : {&loop, &next}) {
      auto effects = effects_of(part->body);
      if (effects.leaves || effects.continues) return std::nullopt;
    }
    std::string first = text_of(context.ast, loop.body), second = text_of(context.ast, next.body);
    if (first.empty() || second.empty()) return std::nullopt;
    // The second body keeps its own name for the index: a loop inside it may use the first's.
    std::string mine = loop.variable->getNameAsString(), other = next.variable->getNameAsString();
    if (mine != other) second = braces("const " + next.type + " " + other + " = " + mine + ";\n" + second);
    return header(loop) + braces(first + "\n" + second);
  }
};

}  // namespace

std::unique_ptr<Transformation> make_fusion() {
  return std::make_unique<Fusion>();
}

}  // namespace hone::frontend
