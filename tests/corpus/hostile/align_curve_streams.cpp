// kernel: curve
// verdict: verify
// tries: stores past the cache, which want 16 bytes: the second row of a picture 30 wide is not aligned
#include <xmmintrin.h>
void curve(const unsigned char* x, const float* table, float* y, int n) {
  int i = 0;
  if (n % 16 == 0 && n > 0) {
    for (; i < n; i += 4)
      _mm_stream_ps(y + i, _mm_setr_ps(table[x[i]], table[x[i + 1]], table[x[i + 2]], table[x[i + 3]]));
    _mm_sfence();
  }
  for (; i < n; ++i) y[i] = table[x[i]];
}
