// A dense layer on int8 data with int32 sums, rescaled and clamped to int8: std::inner_product over rows as spans.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace nn {

struct Int8Layer {
  int outputs;
  int inputs;
  std::vector<std::int8_t> weights;
  std::vector<std::int16_t> bias;
  std::vector<std::uint16_t> scale;

  std::span<const std::int8_t> row(int r) const {
    return {weights.data() + static_cast<std::size_t>(r) * inputs, static_cast<std::size_t>(inputs)};
  }
};

constexpr int kScaleBits = 25;

inline std::int8_t requantize(std::int32_t sum, std::uint16_t scale) {
  const std::int64_t product = static_cast<std::int64_t>(sum) * scale;
  const std::int64_t rounded = (product + (std::int64_t{1} << (kScaleBits - 1))) >> kScaleBits;
  return static_cast<std::int8_t>(std::clamp<std::int64_t>(rounded, -128, 127));
}

}  // namespace nn

#pragma hone kernel in(layer.weights[0:layer.outputs*layer.inputs], layer.bias[0:layer.outputs], layer.scale[0:layer.outputs], input[0:layer.inputs]) out(output[0:layer.outputs]) problem(layer.outputs=64, layer.inputs=331)
void quantized_dense_layer(const nn::Int8Layer& layer, const std::int8_t* input, std::int8_t* output) {
  for (int r = 0; r < layer.outputs; ++r) {
    const auto weights = layer.row(r);
    const std::int32_t sum =
        std::inner_product(weights.begin(), weights.end(), input, static_cast<std::int32_t>(layer.bias[r]));
    output[r] = nn::requantize(sum, layer.scale[r]);
  }
}
