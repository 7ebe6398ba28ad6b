// kernel: axpy
// verdict: right
// tries: a loop by pointers that ends where the array does
void axpy(const float* x, float* y, int n, float alpha) {
  if (n <= 0) return;
  for (const float* const end = x + n; x != end; ++x, ++y) *y += alpha * *x;
}
