// kernel: relax
// verdict: right
// tries: blocks copied to the stack first, so that overlap does no harm
#include <cstring>
void relax(const float* from, float* to, int n, float w) {
  float block[256];
  for (int b = 0; b < n; b += 256) {
    const int m = n - b < 256 ? n - b : 256;
    std::memcpy(block, from + b, sizeof(float) * m);
    for (int i = 0; i < m; ++i) block[i] /= w + block[i] * block[i];
    std::memmove(to + b, block, sizeof(float) * m);
  }
}
