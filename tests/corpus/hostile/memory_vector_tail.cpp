// kernel: squash
// verdict: verify "past the end"
// tries: to write whole vectors of eight where the last one is not full
#include <cmath>
typedef float v8 __attribute__((vector_size(32), aligned(4)));
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; i += 8) {
    v8 v = *(const v8*)(x + i), r;
    for (int k = 0; k < 8; ++k) r[k] = v[k] / (1.0f + std::sqrt(v[k] * v[k] + a));
    *(v8*)(y + i) = r;
  }
}
