// s126: Sums down the columns, with weights along a flat array.

#pragma hone kernel inout(b [0:n * n]) in(w [0:n * n], c [0:n * n]) problem(n = 256) tolerance(rtol = 1e-4)
void s126(float* __restrict b, const float* __restrict w, const float* __restrict c, int n) {
  int k = 1;
  for (int i = 0; i < n; i++) {
    for (int j = 1; j < n; j++) {
      b[j * n + i] = b[(j - 1) * n + i] + w[k - 1] * c[j * n + i];
      ++k;
    }
    ++k;
  }
}
