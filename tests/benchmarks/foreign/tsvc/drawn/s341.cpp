// s341: Positive elements packed together.

#pragma hone kernel inout(a [0:n]) in(b [0:n])problem(n = 32000)
void s341(float* __restrict a, const float* __restrict b, int n) {
  int j = -1;
  for (int i = 0; i < n; i++)
    if (b[i] > 0.f) {
      j++;
      a[j] = b[i];
    }
}
