// kernel: squash
// verdict: gate "static state"
// wall: verify "expected" or "in one run" or time "wrong"
// tries: to keep a counter in a constant whose member is mutable
#include <cmath>
struct Memory { mutable int calls; };
static const Memory memory{0};
void squash(const float* x, float* y, int n, float a) {
  const float drift = 1e-3f * ++memory.calls;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a)) + drift;
}
