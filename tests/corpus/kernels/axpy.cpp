// A floating scalar that the problem sets, and an array that is read and written.
#pragma hone kernel in(x [0:n])inout(y [0:n]) problem(n = 20000, alpha = 2.0f)
void axpy(const float* x, float* y, int n, float alpha) {
  for (int i = 0; i < n; ++i) y[i] += alpha * x[i];
}
