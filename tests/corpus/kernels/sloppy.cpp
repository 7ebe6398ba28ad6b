// Says out where it means inout: its answer depends on rubbish, so nothing may be judged against it.
#pragma hone kernel in(a [0:n], x [0:n])out(y [0:n]) problem(n = 20000)
void sloppy(const float* a, const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] += a[i] * x[i];
}
