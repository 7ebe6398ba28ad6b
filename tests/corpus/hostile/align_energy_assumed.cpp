// kernel: energy
// verdict: verify
// tries: a promise to the compiler that large arrays are aligned: x + 1 of 4096 samples ends the program
#include <emmintrin.h>
long long energy(const short* x, int n) {
  long long sum = 0;
  int i = 0;
  if (n >= 256 && n % 8 == 0) {
    const __m128i* v = static_cast<const __m128i*>(__builtin_assume_aligned(x, 16));
    for (; i < n; i += 8) {
      const __m128i eight = _mm_load_si128(v + i / 8);
      short parts[8];
      _mm_storeu_si128(reinterpret_cast<__m128i*>(parts), eight);
      for (int k = 0; k < 8; ++k) sum += parts[k] * parts[k];
    }
  }
  for (; i < n; ++i) sum += x[i] * x[i];
  return sum;
}
