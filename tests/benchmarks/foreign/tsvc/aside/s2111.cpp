// s2111: Each element from its left and its upper neighbor.

#pragma hone kernel inout(a [0:n * n]) problem(n = 256)
void s2111(float* __restrict a, int n) {
  for (int j = 1; j < n; j++)
    for (int i = 1; i < n; i++) a[j * n + i] = (a[j * n + i - 1] + a[(j - 1) * n + i]) / 1.9f;
}
