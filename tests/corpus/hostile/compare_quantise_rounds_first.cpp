// kernel: quantise
// verdict: verify
// tries: to round and then to cut: 2.51 is an end in the original and 126 here
#include <algorithm>
void quantise(const float* x, signed char* q, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = std::min(std::max(x[i], -2.6f), 2.6f);
    const int step = static_cast<int>(v * 50.0f + (v < 0 ? -0.5f : 0.5f));
    q[i] = static_cast<signed char>(std::min(std::max(step, -127), 127));
  }
}
