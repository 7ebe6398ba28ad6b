// The least of the square around each pixel; beyond the border there is nothing.
#include <algorithm>

#pragma hone kernel in(src [0:h] [0:w])out(dst [0:h] [0:w]) problem(h = 48, w = 160, r = 3)
void erode(const unsigned char* src, unsigned char* dst, int h, int w, int r) {
  r = std::clamp(r, 0, std::max(std::max(h, w), 0));
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      unsigned char least = 255;
      for (int v = std::max(y - r, 0); v <= std::min(y + r, h - 1); ++v)
        for (int u = std::max(x - r, 0); u <= std::min(x + r, w - 1); ++u)
          if (src[v * w + u] < least) least = src[v * w + u];
      dst[y * w + x] = least;
    }
}
