// Sobel edge strength of an 8-bit image: 3x3 tables in constexpr std::arrays, border clamped by the image's accessor.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <vector>

namespace vision {

struct GrayImage {
  int width;
  int height;
  std::vector<std::uint8_t> pixels;

  std::uint8_t clamped(int x, int y) const {
    x = std::clamp(x, 0, width - 1);
    y = std::clamp(y, 0, height - 1);
    return pixels[static_cast<std::size_t>(y) * width + x];
  }
};

}  // namespace vision

namespace {

using Stencil = std::array<std::array<int, 3>, 3>;

constexpr Stencil kHorizontal{{{-1, 0, 1}, {-2, 0, 2}, {-1, 0, 1}}};
constexpr Stencil kVertical{{{-1, -2, -1}, {0, 0, 0}, {1, 2, 1}}};

}  // namespace

#pragma hone kernel in(image.pixels[0:image.width*image.height]) out(edges[0:image.width*image.height]) problem(image.width=81, image.height=53)
void sobel_edges(const vision::GrayImage& image, std::uint8_t* edges) {
  for (int y = 0; y < image.height; ++y) {
    for (int x = 0; x < image.width; ++x) {
      int gx = 0;
      int gy = 0;
      for (int dy = -1; dy <= 1; ++dy) {
        for (int dx = -1; dx <= 1; ++dx) {
          const int value = image.clamped(x + dx, y + dy);
          gx += kHorizontal[dy + 1][dx + 1] * value;
          gy += kVertical[dy + 1][dx + 1] * value;
        }
      }
      const int strength = (std::abs(gx) + std::abs(gy)) / 2;
      edges[static_cast<std::size_t>(y) * image.width + x] =
          static_cast<std::uint8_t>(std::min(strength, 255));
    }
  }
}
