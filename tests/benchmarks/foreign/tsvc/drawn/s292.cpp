// s292: Means of three around a ring, by two indices that go along.

#pragma hone kernel out(a [0:n]) in(b [0:n])problem(n = 32000) requires(n >= 2)
void s292(float* __restrict a, const float* __restrict b, int n) {
  int before = n - 1, second = n - 2;
  for (int i = 0; i < n; i++) {
    a[i] = (b[i] + b[before] + b[second]) * .333f;
    second = before;
    before = i;
  }
}
