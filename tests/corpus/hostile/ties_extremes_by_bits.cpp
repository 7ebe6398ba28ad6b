// kernel: extremes
// verdict: verify
// tries: to compare bit patterns: -0 is less than 0 there, but not in the original
#include <cstring>
static int ordered(float f) {
  int bits;
  std::memcpy(&bits, &f, 4);
  return bits ^ (bits >> 31 & 0x7fffffff);
}
void extremes(const float* x, int* where, float* value, int n) {
  int low = n > 0 ? 0 : -1, high = low, least = n > 0 ? ordered(x[0]) : 0, most = least;
  for (int i = 1; i < n; ++i) {
    const int v = ordered(x[i]);
    if (v < least) least = v, low = i;
    if (v > most) most = v, high = i;
  }
  where[0] = low;
  where[1] = high;
  value[0] = low < 0 ? 0.0f : x[low];
  value[1] = high < 0 ? 0.0f : x[high];
}
