// The Sobel filter of image libraries: the size of the gradient of a gray image, cut off at 255.
#include <cmath>
#include <cstdint>

#pragma hone kernel in(in[0:w * h]) out(out[0:w * h]) problem(w = 640, h = 480) problem(w = 321, h = 203) exact
void sobel(const uint8_t* in, uint8_t* out, int w, int h) {
  for (int y = 0; y < h; y++)
    for (int x = 0; x < w; x++) {
      if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
        out[y * w + x] = 0;
        continue;
      }
      int gx = 0, gy = 0;
      const int weight[3] = {1, 2, 1};
      for (int i = -1; i <= 1; i++) {
        gx += weight[i + 1] * (in[(y + i) * w + x + 1] - in[(y + i) * w + x - 1]);
        gy += weight[i + 1] * (in[(y + 1) * w + x + i] - in[(y - 1) * w + x + i]);
      }
      const int size = static_cast<int>(std::sqrt(static_cast<float>(gx * gx + gy * gy)));
      out[y * w + x] = size > 255 ? 255 : size;
    }
}
