// s482: A loop that a condition ends.

#pragma hone kernel inout(a [0:n]) in(b [0:n], c [0:n])init(b : uniform(0.5, 1), c : uniform(0, 0.5)) problem(n = 32000)
void s482(float* __restrict a, const float* __restrict b, const float* __restrict c, int n) {
  for (int i = 0; i < n; i++) {
    a[i] += b[i] * c[i];
    if (c[i] > b[i]) break;
  }
}
