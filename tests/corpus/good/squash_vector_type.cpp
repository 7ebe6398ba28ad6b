// kernel: squash
// verdict: right
// tries: GNU vectors, loaded through memcpy
#include <cmath>
#include <cstring>
typedef float v8 __attribute__((vector_size(32)));
void squash(const float* x, float* y, int n, float a) {
  int i = 0;
  for (; i <= n - 8; i += 8) {
    v8 v, root;
    std::memcpy(&v, x + i, sizeof v);
    root = v * v + a;
    for (int k = 0; k < 8; ++k) root[k] = std::sqrt(root[k]);
    v /= 1.0f + root;
    std::memcpy(y + i, &v, sizeof v);
  }
  for (; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
