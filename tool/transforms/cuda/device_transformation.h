// The common shape of the CUDA transformations that rewrite a kernel of the usual form (device_kernel.h): one site, the
// kernel as a whole.
#pragma once

#include "tool/transforms/cuda/device_text.h"

namespace hone::frontend {

class DeviceTransformation : public Transformation {
 public:
  unsigned sites(const KernelContext& context) const final {
    const auto kernel = device_kernel_of(context);
    return kernel && fits(context, *kernel) ? 1 : 0;
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const final {
    const auto kernel = device_kernel_of(context);
    if (!kernel || !fits(context, *kernel)) return std::nullopt;
    Edits edits(context);
    if (!rewrite(context, *kernel, arguments, edits)) return std::nullopt;
    return edits.candidate();
  }

 protected:
  virtual bool fits(const KernelContext& context, const DeviceKernel& kernel) const = 0;
  // False: it cannot be done here after all.
  virtual bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
                       Edits& edits) const = 0;
};

}  // namespace hone::frontend
