// kernel: squash
// verdict: gate "not allowed"
// wall: compile "denied" or "No such file"
// tries: to have the users of the machine printed by the compiler
#include <cmath>
#include "/etc/passwd"
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
