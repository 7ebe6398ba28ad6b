// kernel: squash
// verdict: gate "socketpair"
// wall: harmless
// tries: to make a pair of sockets, to pass descriptors over
#include <cmath>
extern "C" int socketpair(int, int, int, int*) noexcept;
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  int pair[2];
  spoilt = socketpair(1, 1, 0, pair) == 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
