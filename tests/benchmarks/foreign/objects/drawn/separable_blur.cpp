// A 5-tap binomial blur of a float image, rows first and then columns: a temporary std::vector, reflected borders.
#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace filter {

struct Plane {
  int width;
  int height;
  std::vector<float> samples;

  const float* row(int y) const { return samples.data() + static_cast<std::size_t>(y) * width; }
};

constexpr int kRadius = 2;
constexpr std::array<float, 2 * kRadius + 1> kTaps{0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};

// Mirrors an index at the ends; the clamp covers images that are smaller than the filter.
inline int reflect(int i, int size) {
  if (i < 0) {
    i = -i - 1;
  } else if (i >= size) {
    i = 2 * size - 1 - i;
  }
  return std::clamp(i, 0, size - 1);
}

}  // namespace filter

#pragma hone kernel in(plane.samples[0:plane.width*plane.height]) out(blurred[0:plane.width*plane.height]) problem(plane.width=83, plane.height=61) tolerance(rtol=1e-4)
void separable_blur(const filter::Plane& plane, float* blurred) {
  using namespace filter;
  const int w = plane.width;
  const int h = plane.height;
  std::vector<float> rows(static_cast<std::size_t>(w) * h);

  for (int y = 0; y < h; ++y) {
    const float* in = plane.row(y);
    for (int x = 0; x < w; ++x) {
      float sum = 0.0f;
      for (int k = -kRadius; k <= kRadius; ++k) {
        sum += kTaps[k + kRadius] * in[reflect(x + k, w)];
      }
      rows[static_cast<std::size_t>(y) * w + x] = sum;
    }
  }

  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      float sum = 0.0f;
      for (int k = -kRadius; k <= kRadius; ++k) {
        sum += kTaps[k + kRadius] * rows[static_cast<std::size_t>(reflect(y + k, h)) * w + x];
      }
      blurred[static_cast<std::size_t>(y) * w + x] = sum;
    }
  }
}
