// Exchanges the x and y indices of a kernel and of its launch: neighboring threads differ in threadIdx.x, so that the
// index which runs along memory should be made of it.
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

class SwapAxes final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "swap_axes"; }

 protected:
  bool fits(const KernelContext&, const DeviceKernel& kernel) const override {
    return kernel.along('x') && kernel.along('y');
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>&,
               Edits& edits) const override {
    for (const ItemIndex& item : kernel.items)
      if (item.dimension != 'z')
        edits.replace(range_of(context.ast, item.variable->getInit()->getSourceRange()),
                      item_expression(item.dimension == 'x' ? 'y' : 'x'));
    const std::string swapped = helper_name(context, "swapped");
    helper_once(edits, context, swapped,
                "static dim3 " + swapped + "(dim3 sizes) { return dim3(sizes.y, sizes.x, sizes.z); }\n\n");
    relaunch(edits, kernel.launch, swapped + "(" + kernel.launch.grid + ")", swapped + "(" + kernel.launch.block + ")");
    return true;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_swap_axes() {
  return std::make_unique<SwapAxes>();
}

}  // namespace hone::frontend
