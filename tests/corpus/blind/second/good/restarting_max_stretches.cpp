// kernel: restarting_max
// verdict: right
// tries: memchr finds the next restart; between two the loop has one maxss a value and nothing else
#include <cstring>
void restarting_max(const float* x, const unsigned char* keep, float* state, float* y, int n) {
  float most = state[0];
  int i = 0;
  while (i < n) {
    const void* zero = std::memchr(keep + i, 0, static_cast<std::size_t>(n - i));
    const int stop = zero ? static_cast<int>(static_cast<const unsigned char*>(zero) - keep) : n;
    for (; i < stop; ++i) y[i] = most = x[i] > most ? x[i] : most;
    if (i < n) {
      y[i] = most = x[i];
      ++i;
    }
  }
  state[0] = most;
}
