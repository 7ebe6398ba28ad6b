// kernel: axpy
// verdict: right
// tries: vectors of eight by the compiler's own type, loaded by memcpy
#include <cstring>
typedef float Eight __attribute__((vector_size(32)));
void axpy(const float* x, float* y, int n, float alpha) {
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    Eight a, b;
    std::memcpy(&a, x + i, sizeof a);
    std::memcpy(&b, y + i, sizeof b);
    b += alpha * a;
    std::memcpy(y + i, &b, sizeof b);
  }
  for (; i < n; ++i) y[i] += alpha * x[i];
}
