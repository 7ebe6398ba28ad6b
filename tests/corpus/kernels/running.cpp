// Three problems of different size class; each output needs all inputs before it.
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n = 200) problem(n = 5000) problem(n = 80000)
void running_sum(const unsigned* x, unsigned* y, int n) {
  unsigned sum = 0;
  for (int i = 0; i < n; ++i) y[i] = sum += x[i];
}
