// kernel: transpose
// verdict: right
// tries: four by four in registers, the borders one by one
#include <xmmintrin.h>
void transpose(const float* a, float* b, int h, int w) {
  const int rows = h > 0 ? h & ~3 : 0, cols = w > 0 ? w & ~3 : 0;
  for (int y = 0; y < rows; y += 4)
    for (int x = 0; x < cols; x += 4) {
      __m128 r0 = _mm_loadu_ps(a + y * w + x), r1 = _mm_loadu_ps(a + (y + 1) * w + x);
      __m128 r2 = _mm_loadu_ps(a + (y + 2) * w + x), r3 = _mm_loadu_ps(a + (y + 3) * w + x);
      _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
      _mm_storeu_ps(b + x * h + y, r0);
      _mm_storeu_ps(b + (x + 1) * h + y, r1);
      _mm_storeu_ps(b + (x + 2) * h + y, r2);
      _mm_storeu_ps(b + (x + 3) * h + y, r3);
    }
  for (int y = 0; y < h; ++y)
    for (int x = y < rows ? cols : 0; x < w; ++x) b[x * h + y] = a[y * w + x];
}
