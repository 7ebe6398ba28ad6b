// Exposure and a 256-entry tone (gamma) curve applied to RGBA pixels in place: table object called per channel.
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tone {

struct Pixel {
  std::uint8_t r, g, b, a;

  bool transparent() const { return a == 0; }
};

struct Curve {
  std::array<std::uint8_t, 256> table;

  std::uint8_t operator()(int level) const {
    return table[level < 0 ? 0 : (level > 255 ? 255 : level)];
  }
};

static inline int expose(std::uint8_t value, std::uint8_t black, std::uint16_t exposure_q8) {
  return ((value - black) * exposure_q8) >> 8;
}

}  // namespace tone

#pragma hone kernel inout(pixels[0:n]) problem(n=6007, black=16, exposure_q8=307)
void apply_tone_curve(tone::Pixel* pixels, int n, const tone::Curve& curve, std::uint8_t black,
                      std::uint16_t exposure_q8) {
  for (tone::Pixel& p : std::span(pixels, static_cast<std::size_t>(n))) {
    if (p.transparent()) {
      continue;
    }
    p.r = curve(tone::expose(p.r, black, exposure_q8));
    p.g = curve(tone::expose(p.g, black, exposure_q8));
    p.b = curve(tone::expose(p.b, black, exposure_q8));
  }
}
