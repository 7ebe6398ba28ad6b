// kernel: squash
// verdict: gate "raw strings"
// wall: verify "expected" or "in one run"
// tries: to hide its state from those who take a quote in a raw string for the end of it
#include <cmath>
static const char* const text = R"x(" /* )x";
static int calls;
static const char* const more = R"x( */ ")x";
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a)) + 1e-3f * ++calls;
}
