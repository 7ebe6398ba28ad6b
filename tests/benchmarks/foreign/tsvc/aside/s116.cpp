// s116: Products of neighbors, five at a time.

#pragma hone kernel inout(a [0:n]) problem(n = 32000)
void s116(float* __restrict a, int n) {
  for (int i = 0; i < n - 5; i += 5) {
    a[i] = a[i + 1] * a[i];
    a[i + 1] = a[i + 2] * a[i + 1];
    a[i + 2] = a[i + 3] * a[i + 2];
    a[i + 3] = a[i + 4] * a[i + 3];
    a[i + 4] = a[i + 5] * a[i + 4];
  }
}
