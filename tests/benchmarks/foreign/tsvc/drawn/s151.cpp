// s151: Each element from its right neighbor, at a distance that is a parameter.

#pragma hone kernel inout(a [0:n + m]) in(b [0:n])problem(n = 32000, m = 1) fixed(m)
void s151(float* __restrict a, const float* __restrict b, int m, int n) {
  for (int i = 0; i < n; i++) a[i] = a[i + m] + b[i];
}
