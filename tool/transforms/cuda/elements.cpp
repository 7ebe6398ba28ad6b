// Several items for each thread: a block's width apart, so that neighboring threads stay neighbors, or (rows) side by
// side, so that what they share is loaded once. Fewer blocks, more loads in flight. Where all of them pass the
// conditions there is a loop without any: what other transformations unroll and jam.
#include "tool/transforms/code/loop_text.h"
#include "tool/transforms/cuda/device_transformation.h"

namespace hone::frontend {
namespace {

constexpr int most_items = 64;

class Elements final : public DeviceTransformation {
 public:
  std::string_view name() const override { return "elements"; }

  std::vector<std::vector<int>> argument_choices(const KernelContext& context, unsigned) const override {
    const auto kernel = device_kernel_of(context);
    if (kernel && kernel->along('y')) return {{4, 2, 8, 16}, {1, 0}, {0, 1}};  // along y (1) or x (0); side by side (1)
    return {{4, 8, 2, 16, 32, 64}};
  }

 protected:
  bool fits(const KernelContext&, const DeviceKernel& kernel) const override { return kernel.along('x'); }

  bool rewrite(const KernelContext& context, const DeviceKernel& kernel, const std::vector<int>& arguments,
               Edits& edits) const override {
    const int count = argument(arguments, 0, 4, 2, most_items);
    const char along = kernel.along('y') && argument(arguments, 1, 1, 0, 1) == 1 ? 'y' : 'x';
    const ItemIndex& item = *kernel.along(along);
    const std::string d(1, along), copies = std::to_string(count);
    const std::string first = fresh_name(context, item.name + "_first"),
                      step = fresh_name(context, item.name + "_step");
    const std::string number = fresh_name(context, "element");
    const std::string at = first + " + " + number + " * " + step;
    const std::string header = "for (int " + number + " = 0; " + number + " < " + copies + "; ++" + number + ") ";

    const bool adjacent = along == 'y' && argument(arguments, 2, 0, 0, 1) == 1;
    const std::string unroll = adjacent ? "#pragma unroll\n" : "";
    const Substitution plain(context.ast);
    std::string text = other_indices(kernel, d);
    text += "const " + item.type + " " + step + " = " + (adjacent ? "1" : "blockDim." + d) + ";\n";
    text += "const " + item.type + " " + first + " = " +
            (adjacent ? "(" + item_expression(along) + ") * " + copies
                      : "blockIdx." + d + " * (blockDim." + d + " * " + copies + ") + threadIdx." + d) +
            ";\n";
    const std::string guarded = header + braces(index_declaration(item, at) + item_text(plain, kernel));
    // Bounds: what holds for the first and the last holds for those between.
    const bool simple = kernel.before.empty() && !kernel.conditions.empty() && hold_between(context, kernel, item);
    if (simple) {
      const std::string last = "(" + first + " + " + std::to_string(count - 1) + " * " + step + ")";
      text += "if (" + conditions_at(context, kernel, {{item.variable, first}}) + " && " +
              conditions_at(context, kernel, {{item.variable, last}}) + ") {\n" + unroll + header +
              braces(index_declaration(item, at) + text_of(plain, kernel.work)) + "\n} else " + braces(guarded);
    } else {
      text += guarded;
    }
    replace_body(edits, context, text);
    edits.replace(kernel.launch.grid_range,
                  fewer_blocks(edits, context, kernel.launch, along == 'x' ? count : 1, along == 'y' ? count : 1));
    return !plain.spoiled();
  }
};

}  // namespace

std::unique_ptr<Transformation> make_elements() {
  return std::make_unique<Elements>();
}

}  // namespace hone::frontend
