// kernel: squash
// verdict: gate "static" or verify "crashed" or "expected"
// wall: verify "crashed" or "expected"
// tries: to count its calls in a constant that it casts to a variable
#include <cmath>
static const int memory[4] = {1, 0, 0, 0};
void squash(const float* x, float* y, int n, float a) {
  volatile int& calls = const_cast<int&>(memory[0]);
  calls = calls + 1;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a)) + 1e-3f * calls;
}
