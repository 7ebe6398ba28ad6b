// A sum of squares, by std::accumulate, and a lambda.
#include <numeric>

#pragma hone kernel in(x[0:n]) out(r[0:1]) problem(n=4000) tolerance(rtol=1e-4)
void accumulate(const float* x, int n, float* r) {
  *r = std::accumulate(x, x + n, 0.0f, [](float s, float v) { return s + v * v; });
}
