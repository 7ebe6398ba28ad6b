// kernel: softmax
// verdict: verify
// tries: the row's first element in place of its largest: a row 0, 100 overflows
#include <cmath>
void softmax(const float* x, float* y, int h, int w) {
  for (int r = 0; r < h; ++r) {
    const float first = w > 0 ? x[r * w] : 0;
    float sum = 0;
    for (int i = 0; i < w; ++i) sum += y[r * w + i] = std::exp(x[r * w + i] - first);
    for (int i = 0; i < w; ++i) y[r * w + i] /= sum;
  }
}
