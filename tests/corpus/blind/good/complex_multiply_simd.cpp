// kernel: complex_multiply
// verdict: right
// tries: restrict and omp simd (no threads), the interleaving left to the compiler
void complex_multiply(const float* __restrict a, const float* __restrict b, float* __restrict c, int n) {
#pragma omp simd
  for (int i = 0; i < n; ++i) {
    const float ar = a[2 * i], ai = a[2 * i + 1], br = b[2 * i], bi = b[2 * i + 1];
    c[2 * i] += ar * br - ai * bi;
    c[2 * i + 1] += ar * bi + ai * br;
  }
}
