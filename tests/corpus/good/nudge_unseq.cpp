// kernel: nudge
// standard: c++17
// verdict: right
// tries: the unsequenced policy of the standard library, which starts no threads
#include <algorithm>
#include <execution>
void nudge(const float* a, const float* b, float* y, int n) {
  if (n <= 0) return;
  std::transform(std::execution::unseq, a, a + n, b, y, [](float u, float v) { return 2.0f * u + 1e-7f * v; });
}
