// kernel: squash
// verdict: gate "constant expression"
// wall: compile "constexpr" or "constant" or "did not compile"
// tries: to compute without end while it is compiled
#include <cmath>
constexpr int endless(int v) { return v == -1 ? 0 : endless(v + 1); }
static_assert(endless(0) != 0);
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
