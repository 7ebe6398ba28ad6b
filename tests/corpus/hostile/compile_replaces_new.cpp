// kernel: squash
// verdict: gate "operator new"
// wall: compile "_Znwm"
// tries: to replace the operator new of everything in its process
#include <cmath>
#include <cstdlib>
#include <new>
void* operator new(std::size_t size) { return std::malloc(size + 1); }
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
