// kernel: squash
// verdict: gate ""
// wall: compile ""
// tries: to expand a macro into more text than memory holds
#include <cmath>
#define TEN(m) m m m m m m m m m m
#define HUNDRED(m) TEN(TEN(m))
#define MYRIAD(m) HUNDRED(HUNDRED(m))
static const char* const text = MYRIAD(MYRIAD("ha"));
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
