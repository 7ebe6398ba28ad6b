// Draws a sprite over a surface. Colours are premultiplied: alpha 0 with a colour is light that is added.
#include <cstddef>
#include <cstdint>

struct Rgba {
  uint8_t r, g, b, a;
};

struct Surface {
  Rgba* px;
  int w, h, stride;
};

static inline uint8_t over(int s, int d, int a) {
  const int v = s + d * (255 - a) / 255;
  return static_cast<uint8_t>(v > 255 ? 255 : v);
}

#pragma hone kernel inout(to.px[0:to.h:to.stride][0:to.w]) in(from[0:to.h:pitch][0:to.w]) \
    problem(to.w=320, to.h=200, to.stride=352, pitch=320) problem(to.w=61, to.h=40, to.stride=61, pitch=64) \
    requires(to.stride >= to.w && pitch >= to.w)
void blend_over(Surface to, const Rgba* from, int pitch) {
  for (int y = 0; y < to.h; ++y) {
    Rgba* d = to.px + static_cast<ptrdiff_t>(y) * to.stride;
    const Rgba* s = from + static_cast<ptrdiff_t>(y) * pitch;
    for (int x = 0; x < to.w; ++x) {
      const int a = s[x].a;
      d[x].r = over(s[x].r, d[x].r, a);
      d[x].g = over(s[x].g, d[x].g, a);
      d[x].b = over(s[x].b, d[x].b, a);
      d[x].a = over(s[x].a, d[x].a, a);
    }
  }
}
