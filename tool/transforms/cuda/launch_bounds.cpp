// Tells the compiler how many threads a block has and how many blocks should fit on a multiprocessor, so that it uses
// as many registers as that leaves.
#include "tool/transforms/code/loop_nest.h"
#include "tool/transforms/cuda/device_text.h"

namespace hone::frontend {
namespace {

class LaunchBounds final : public Transformation {
 public:
  std::string_view name() const override { return "launch_bounds"; }

  unsigned sites(const KernelContext& context) const override { return bounds(context) ? 1 : 0; }
  std::vector<std::vector<int>> argument_choices(const KernelContext&, unsigned) const override {
    return {{1, 2, 4, 8}};
  }

  std::optional<std::string> apply(const KernelContext& context, unsigned,
                                   const std::vector<int>& arguments) const override {
    const auto threads = bounds(context);
    if (!threads) return std::nullopt;
    Edits edits(context);
    edits.replace_name(context.kernel, "__launch_bounds__(" + std::to_string(*threads) + ", " +
                                           std::to_string(argument(arguments, 0, 1, 1, 32)) + ") " +
                                           context.kernel->getNameAsString());
    return edits.candidate();
  }

 private:
  static std::optional<long long> bounds(const KernelContext& context) {
    const auto launch = launch_of(context);
    if (!launch || context.kernel->hasAttr<clang::CUDALaunchBoundsAttr>()) return std::nullopt;
    const auto block = constant_shape(context, *launch, 1);
    if (!block) return std::nullopt;
    const long long threads = (*block)[0] * (*block)[1] * (*block)[2];
    return threads > 0 && threads <= 1024 ? std::optional(threads) : std::nullopt;
  }
};

}  // namespace

std::unique_ptr<Transformation> make_launch_bounds() {
  return std::make_unique<LaunchBounds>();
}

}  // namespace hone::frontend
