// kernel: nudge
// verdict: right
// tries: OpenMP's simd
void nudge(const float* a, const float* b, float* y, int n) {
#pragma omp simd
  for (int i = 0; i < n; ++i) y[i] = 2.0f * a[i] + 1e-7f * b[i];
}
