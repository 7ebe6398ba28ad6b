// kernel: softmax
// verdict: right
// tries: largest and sum in one pass, which takes back what was too large
#include <cmath>
void softmax(const float* x, float* y, int h, int w) {
  for (int r = 0; r < h; ++r) {
    const float* from = x + r * w;
    float most = w > 0 ? from[0] : 0, sum = w > 0 ? std::exp(from[0] - from[0]) : 0;
    for (int i = 1; i < w; ++i)
      if (from[i] > most) {
        sum = sum * std::exp(most - from[i]) +
              std::exp(from[i] - from[i]);  // of an infinity no number, as in the original
        most = from[i];
      } else {
        sum += std::exp(from[i] - most);
      }
    for (int i = 0; i < w; ++i) y[r * w + i] = std::exp(from[i] - most) / sum;
  }
}
