// kernel: squash
// verdict: gate ""
// wall: compile ""
// limit: 2
// tries: to instantiate so many templates that memory or patience ends
#include <cmath>
template <int Depth, long Path> struct Flood {
  static constexpr long value = Flood<Depth - 1, 2 * Path>::value + Flood<Depth - 1, 2 * Path + 1>::value;
};
template <long Path> struct Flood<0, Path> { static constexpr long value = Path; };
static_assert(Flood<40, 1>::value != 0);
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
