// kernel: transpose
// verdict: verify
// tries: to test the input's address and to store to the output's: a misaligned b behind an aligned a ends the program
#include <xmmintrin.h>
#include <cstdint>
void transpose(const float* a, float* b, int h, int w) {
  if (reinterpret_cast<std::uintptr_t>(a) % 16 == 0 && h % 4 == 0 && w % 4 == 0) {
    for (int y = 0; y < h; y += 4)
      for (int x = 0; x < w; x += 4) {
        __m128 r0 = _mm_load_ps(a + y * w + x), r1 = _mm_load_ps(a + (y + 1) * w + x);
        __m128 r2 = _mm_load_ps(a + (y + 2) * w + x), r3 = _mm_load_ps(a + (y + 3) * w + x);
        _MM_TRANSPOSE4_PS(r0, r1, r2, r3);
        _mm_store_ps(b + x * h + y, r0);
        _mm_store_ps(b + (x + 1) * h + y, r1);
        _mm_store_ps(b + (x + 2) * h + y, r2);
        _mm_store_ps(b + (x + 3) * h + y, r3);
      }
    return;
  }
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) b[x * h + y] = a[y * w + x];
}
