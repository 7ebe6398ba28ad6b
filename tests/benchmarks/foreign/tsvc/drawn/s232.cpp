// s232: Squares along the rows of a triangle.

#pragma hone kernel inout(a [0:n * n]) in(b [0:n * n]) init(a                       \
                                                            : uniform(-0.4, 0.4), b \
                                                            : uniform(-0.2, 0.2)) problem(n = 256)
void s232(float* __restrict a, const float* __restrict b, int n) {
  for (int j = 1; j < n; j++)
    for (int i = 1; i <= j; i++) a[j * n + i] = a[j * n + i - 1] * a[j * n + i - 1] + b[j * n + i];
}
