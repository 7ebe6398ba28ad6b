// Another shape of block for the same items: more or fewer threads, wider or higher.
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

constexpr int most_threads = 1024;

class LaunchShape final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "block"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    const auto kernel = device_kernel_of(context);
    if (kernel && kernel->along('y')) return {{32, 64, 128, 16}, {8, 4, 2, 1, 16, 32}};
    return {{256, 128, 512, 64, 1024, 32}};
  }

 protected:
  bool fits(const KernelContext&, const DeviceKernel& kernel) const override {
    return kernel.along('x') && !kernel.along('z');
  }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const bool flat = !kernel.along('y');
    const int x = argument(arguments, 0, flat ? 256 : 32, 1, most_threads);
    const int y = flat ? 1 : argument(arguments, 1, 8, 1, most_threads);
    if (x * y > most_threads) return false;
    const std::string block = flat ? std::to_string(x) : "dim3(" + std::to_string(x) + ", " + std::to_string(y) + ")";
    if (block == kernel.launch.block) return false;
    relaunch(edits, kernel.launch, covering_grid(edits, context, kernel.launch, block), block);
    return true;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_launch_shape() {
  return std::make_unique<LaunchShape>();
}

}  // namespace hone::frontend
