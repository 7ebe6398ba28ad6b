// kernel: softmax
// verdict: verify
// tries: exponentials as they are: a row with 100 in it is infinity by infinity
#include <cmath>
void softmax(const float* x, float* y, int h, int w) {
  for (int r = 0; r < h; ++r) {
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += y[r * w + i] = std::exp(x[r * w + i]);
    const float share = 1.0f / sum;
    for (int i = 0; i < w; ++i) y[r * w + i] *= share;
  }
}
