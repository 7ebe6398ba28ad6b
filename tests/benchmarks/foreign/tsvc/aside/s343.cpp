// s343: A matrix packed by a mask, down its columns.

#pragma hone kernel in(a [0:n * n], mask [0:n * n]) inout(flat [0:n * n]) problem(n = 256)
void s343(const float* __restrict a, const float* __restrict mask, float* __restrict flat, int n) {
  int k = -1;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      if (mask[j * n + i] > 0.f) {
        k++;
        flat[k] = a[j * n + i];
      }
}
