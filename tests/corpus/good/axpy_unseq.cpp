// kernel: axpy
// standard: c++17
// verdict: right
// tries: the standard library's unsequenced policy
#include <algorithm>
#include <execution>
void axpy(const float* x, float* y, int n, float alpha) {
  if (n > 0)
    std::transform(std::execution::unseq, x, x + n, y, y, [alpha](float a, float b) { return b + alpha * a; });
}
