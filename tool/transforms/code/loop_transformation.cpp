#include "tool/transforms/code/loop_transformation.h"

#include "tool/transforms/code/loop_text.h"

namespace hone::frontend {

unsigned LoopTransformation::sites(const KernelContext& context) const {
  LoopNest nest(context);
  return static_cast<unsigned>(nest.where([&](const Loop& loop) { return fits(context, nest, loop); }).size());
}

std::optional<TextRange> LoopTransformation::range(const KernelContext& context, LoopNest&, const Loop& loop) const {
  return range_with_pragmas(context.ast, loop.statement);
}

const clang::Stmt* LoopTransformation::place(const KernelContext& context, unsigned site) const {
  const auto all = places(context);
  return site < all.size() ? all[site] : nullptr;
}

std::vector<const clang::Stmt*> LoopTransformation::places(const KernelContext& context) const {
  LoopNest nest(context);
  std::vector<const clang::Stmt*> all;
  for (const Loop* loop : nest.where([&](const Loop& loop) { return fits(context, nest, loop); }))
    all.push_back(loop->statement);
  return all;
}

std::optional<std::string> LoopTransformation::apply(const KernelContext& context, unsigned site,
                                                     const std::vector<int>& arguments) const {
  LoopNest nest(context);
  auto loops = nest.where([&](const Loop& loop) { return fits(context, nest, loop); });
  if (site >= loops.size()) return std::nullopt;
  auto text = rewritten(context, nest, *loops[site], arguments);
  if (!text) return std::nullopt;
  Edits edits(context);
  edits.replace(range(context, nest, *loops[site]), *text);
  return edits.candidate();
}

}  // namespace hone::frontend
