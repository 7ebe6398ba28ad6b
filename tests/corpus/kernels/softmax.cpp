// Each row's exponentials as shares of their sum.
#include <cmath>

#pragma hone kernel in(x [0:h] [0:w])out(y [0:h] [0:w]) problem(h = 24, w = 300)
void softmax(const float* x, float* y, int h, int w) {
  for (int r = 0; r < h; ++r) {
    const float* from = x + r * w;
    float* to = y + r * w;
    float most = w > 0 ? from[0] : 0;
    for (int i = 1; i < w; ++i)
      if (from[i] > most) most = from[i];
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += to[i] = std::exp(from[i] - most);
    for (int i = 0; i < w; ++i) to[i] /= sum;
  }
}
