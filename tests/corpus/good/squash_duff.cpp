// kernel: squash
// verdict: right
// tries: Duff's device
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  if (n <= 0) return;
  int rounds = (n + 3) / 4;
#define ONE (*y++ = *x / (1.0f + sqrtf(*x * *x + a)), ++x)
  switch (n % 4) {
    case 0: do { ONE; [[fallthrough]];
    case 3:      ONE; [[fallthrough]];
    case 2:      ONE; [[fallthrough]];
    case 1:      ONE;
            } while (--rounds > 0);
  }
#undef ONE
}
