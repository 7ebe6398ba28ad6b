// kernel: smooth
// verdict: verify
// tries: an unsigned bound: of n = 0 it becomes four billion, and the program ends there
#include <cstddef>
void smooth(const float* x, float* y, int n) {
  const std::size_t end = static_cast<std::size_t>(n) - 1;
  for (std::size_t i = 1; i < end; ++i) y[i] = 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
}
