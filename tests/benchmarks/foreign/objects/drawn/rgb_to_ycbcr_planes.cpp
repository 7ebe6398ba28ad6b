// RGB pixels split into Y, Cb and Cr planes in 16-bit fixed point: structured bindings in a range-for.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace media {

struct Rgb {
  std::uint8_t r, g, b;
};

struct Picture {
  int width;
  int height;
  std::vector<Rgb> pixels;

  std::span<const Rgb> all() const {
    return std::span<const Rgb>(pixels).first(static_cast<std::size_t>(width) * height);
  }
};

constexpr int kBits = 16;
constexpr int fixed(double x) { return static_cast<int>(x * (1 << kBits) + (x < 0 ? -0.5 : 0.5)); }
constexpr int kHalf = 1 << (kBits - 1);

static inline std::uint8_t to_byte(int v) { return static_cast<std::uint8_t>(std::clamp(v, 0, 255)); }

}  // namespace media

#pragma hone kernel in(picture.pixels[0:picture.width*picture.height]) out(luma[0:picture.width*picture.height], blue[0:picture.width*picture.height], red[0:picture.width*picture.height]) problem(picture.width=173, picture.height=91)
void rgb_to_ycbcr_planes(const media::Picture& picture, std::uint8_t* luma, std::uint8_t* blue, std::uint8_t* red) {
  using media::fixed;
  using media::kBits;
  using media::kHalf;
  std::size_t i = 0;
  for (const auto& [r, g, b] : picture.all()) {
    const int y = fixed(0.299) * r + fixed(0.587) * g + fixed(0.114) * b + kHalf;
    const int cb = fixed(-0.168736) * r + fixed(-0.331264) * g + fixed(0.5) * b + kHalf;
    const int cr = fixed(0.5) * r + fixed(-0.418688) * g + fixed(-0.081312) * b + kHalf;
    luma[i] = media::to_byte(y >> kBits);
    blue[i] = media::to_byte((cb >> kBits) + 128);
    red[i] = media::to_byte((cr >> kBits) + 128);
    ++i;
  }
}
