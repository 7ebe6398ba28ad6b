// Tells the compiler that an innermost loop's iterations do not depend on each other through memory.
//
// `restrict` speaks of parameters only; this also covers pointers computed inside the kernel and index patterns the
// compiler cannot follow.

#include "tool/transforms/code/accesses.h"
#include "tool/transforms/code/dependences.h"
#include "tool/transforms/code/edits.h"

namespace hone::frontend {
namespace {

std::vector<Loop*> storing_loops(LoopNest& nest, const KernelContext& context) {
  return nest.where([&](const Loop& loop) {
    if (!loop.innermost() || reads_what_it_just_wrote(context.ast, loop)) return false;
    for (const Access& access : accesses_in(context.ast, loop.body))
      if (access.writes) return true;
    return false;
  });
}

class IndependentIterations final : public Transformation {
 public:
  std::string_view name() const override { return "ivdep"; }

  unsigned sites(const KernelContext& context) const override {
    LoopNest nest(context);
    return static_cast<unsigned>(storing_loops(nest, context).size());
  }

  const clang::Stmt* place(const KernelContext& context, unsigned site) const override {
    LoopNest nest(context);
    auto loops = storing_loops(nest, context);
    return site < loops.size() ? loops[site]->statement : nullptr;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>&) const override {
    LoopNest nest(context);
    auto loops = storing_loops(nest, context);
    if (site >= loops.size()) return std::nullopt;
    auto range = range_of(context.ast, loops[site]->statement);
    constexpr std::string_view pragma = "#pragma GCC ivdep\n";
    if (!range || range->begin < context.definition_begin) return std::nullopt;
    std::size_t at = context.includes_size + (range->begin - context.definition_begin);
    if (at >= pragma.size() && context.candidate.compare(at - pragma.size(), pragma.size(), pragma) == 0)
      return std::nullopt;
    Edits edits(context);
    edits.insert_before(loops[site]->statement, std::string("\n").append(pragma));
    return edits.candidate();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_independent_iterations() {
  return std::make_unique<IndependentIterations>();
}

}  // namespace hone::frontend
