// kernel: softmax
// verdict: right
// tries: one division a row, two sums
#include <cmath>
void softmax(const float* x, float* y, int h, int w) {
  for (int r = 0; r < h; ++r) {
    const float* from = x + r * w;
    float* to = y + r * w;
    float most = w > 0 ? from[0] : 0;
    for (int i = 1; i < w; ++i) most = from[i] > most ? from[i] : most;
    float s0 = 0, s1 = 0;
    int i = 0;
    for (; i + 2 <= w; i += 2) s0 += to[i] = std::exp(from[i] - most), s1 += to[i + 1] = std::exp(from[i + 1] - most);
    if (i < w) s0 += to[i] = std::exp(from[i] - most);
    const float share = 1.0f / (s0 + s1);
    for (i = 0; i < w; ++i) to[i] *= share;
  }
}
