// kernel: squash
// verdict: right
// tries: a block size as the tuner resolves HONE_TUNABLE to it
#include <algorithm>
#include <cmath>
static constexpr int BLOCK = 256;
void squash(const float* x, float* y, int n, float a) {
  for (int b = 0; b < n; b += BLOCK)
    for (int i = b, end = std::min(n, b + BLOCK); i < end; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
