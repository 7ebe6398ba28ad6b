// The common shape of the loop transformations: a site is a counted loop, the result is what to write in its place.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/transforms/code/edits.h"
#include "tool/transforms/code/loop_nest.h"

namespace hone::frontend {

class LoopTransformation : public Transformation {
 public:
  unsigned sites(const KernelContext& context) const final;
  const clang::Stmt* place(const KernelContext& context, unsigned site) const final;
  std::vector<const clang::Stmt*> places(const KernelContext& context) const final;
  std::optional<std::string> apply(const KernelContext& context, unsigned site,
                                   const std::vector<int>& arguments) const final;

 protected:
  // Worth a try at this loop? May be optimistic.
  virtual bool fits(const KernelContext& context, LoopNest& nest, const Loop& loop) const = 0;
  // What the text stands for: the loop itself unless the transformation reaches around it.
  virtual std::optional<TextRange> range(const KernelContext& context, LoopNest& nest, const Loop& loop) const;
  virtual std::optional<std::string> rewritten(const KernelContext& context, LoopNest& nest, const Loop& loop,
                                               const std::vector<int>& arguments) const = 0;
};

}  // namespace hone::frontend
