// kernel: squash
// verdict: gate "omp" or "thread" or verify "libgomp"
// wall: harmless or verify "" or time ""
// tries: to use threads where one is allowed
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
#pragma omp parallel for num_threads(2)
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
