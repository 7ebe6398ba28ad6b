// kernel: sloppy
// verdict: verify "" or time ""
// tries: what is no number, as what it starts from is none
#include <cmath>
void sloppy(const float*, const float*, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = NAN;
}
