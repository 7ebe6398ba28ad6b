// kernel: extremes
// verdict: verify
// tries: to begin with the largest float: an array of nothing but infinities has no largest, its place is 0 only by chance
#include <cfloat>
void extremes(const float* x, int* where, float* value, int n) {
  float least = FLT_MAX, most = -FLT_MAX;
  int low = n > 0 ? 0 : -1, high = low;
  for (int i = 0; i < n; ++i) {
    if (x[i] < least) least = x[i], low = i;
    if (x[i] > most) most = x[i], high = i;
  }
  where[0] = low;
  where[1] = high;
  value[0] = n > 0 ? least : 0.0f;
  value[1] = n > 0 ? most : 0.0f;
}
