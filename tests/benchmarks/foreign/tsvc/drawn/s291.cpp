// s291: Means of neighbors around a ring, by an index that goes along.

#pragma hone kernel out(a [0:n]) in(b [0:n])problem(n = 32000)
void s291(float* __restrict a, const float* __restrict b, int n) {
  int before = n - 1;
  for (int i = 0; i < n; i++) {
    a[i] = (b[i] + b[before]) * .5f;
    before = i;
  }
}
