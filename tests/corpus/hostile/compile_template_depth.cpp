// kernel: squash
// verdict: gate "template"
// wall: compile "template"
// tries: to instantiate templates without end
#include <cmath>
template <int N> struct Deep { static constexpr int value = Deep<N + 1>::value; };
static_assert(Deep<0>::value == 0);
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
