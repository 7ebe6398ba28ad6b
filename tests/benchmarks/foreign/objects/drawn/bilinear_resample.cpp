// An image resized by bilinear sampling: a template over the border policy, instantiated by a thin wrapper.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <vector>

namespace raster {

struct FloatImage {
  int width;
  int height;
  std::vector<float> texels;

  float operator()(int x, int y) const { return texels[static_cast<std::size_t>(y) * width + x]; }
};

struct ClampBorder {
  static int index(int i, int size) { return i < 0 ? 0 : (i >= size ? size - 1 : i); }
};

inline float lerp(float a, float b, float t) { return a + t * (b - a); }

template <class Border>
float sample(const FloatImage& image, float x, float y) {
  const float left = std::floor(x);
  const float top = std::floor(y);
  const int x0 = Border::index(static_cast<int>(left), image.width);
  const int x1 = Border::index(static_cast<int>(left) + 1, image.width);
  const int y0 = Border::index(static_cast<int>(top), image.height);
  const int y1 = Border::index(static_cast<int>(top) + 1, image.height);
  const float upper = lerp(image(x0, y0), image(x1, y0), x - left);
  const float lower = lerp(image(x0, y1), image(x1, y1), x - left);
  return lerp(upper, lower, y - top);
}

template <class Border>
void resize(const FloatImage& source, float* target, int target_width, int target_height) {
  const float scale_x = static_cast<float>(source.width) / static_cast<float>(target_width);
  const float scale_y = static_cast<float>(source.height) / static_cast<float>(target_height);
  for (int y = 0; y < target_height; ++y) {
    const float source_y = (static_cast<float>(y) + 0.5f) * scale_y - 0.5f;
    for (int x = 0; x < target_width; ++x) {
      const float source_x = (static_cast<float>(x) + 0.5f) * scale_x - 0.5f;
      *target++ = sample<Border>(source, source_x, source_y);
    }
  }
}

}  // namespace raster

#pragma hone kernel in(source.texels[0:source.width*source.height]) out(target[0:target_width*target_height]) problem(source.width=160, source.height=119, target_width=97, target_height=61) requires(source.width > 0 && source.height > 0) tolerance(rtol=1e-3)
void bilinear_resample(const raster::FloatImage& source, float* target, int target_width, int target_height) {
  raster::resize<raster::ClampBorder>(source, target, target_width, target_height);
}
