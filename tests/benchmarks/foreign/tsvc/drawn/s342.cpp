// s342: Packed elements spread to where others are positive.

#pragma hone kernel inout(a [0:n]) in(b [0:n])problem(n = 32000)
void s342(float* __restrict a, const float* __restrict b, int n) {
  int j = -1;
  for (int i = 0; i < n; i++)
    if (a[i] > 0.f) {
      j++;
      a[i] = b[j];
    }
}
