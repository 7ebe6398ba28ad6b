// kernel: squash
// verdict: gate "bracket"
// wall: compile "" or harmless
// tries: to overflow the stack of the parser
#include <cmath>
#define TEN_OPEN ((((((((((
#define TEN_CLOSE ))))))))))
#define HUNDRED_OPEN TEN_OPEN TEN_OPEN TEN_OPEN TEN_OPEN TEN_OPEN TEN_OPEN TEN_OPEN TEN_OPEN TEN_OPEN TEN_OPEN
#define HUNDRED_CLOSE TEN_CLOSE TEN_CLOSE TEN_CLOSE TEN_CLOSE TEN_CLOSE TEN_CLOSE TEN_CLOSE TEN_CLOSE TEN_CLOSE TEN_CLOSE
static const int deep = HUNDRED_OPEN HUNDRED_OPEN HUNDRED_OPEN 1 HUNDRED_CLOSE HUNDRED_CLOSE HUNDRED_CLOSE;
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
}
