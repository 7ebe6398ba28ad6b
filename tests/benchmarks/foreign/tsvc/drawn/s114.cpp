// s114: A triangle from its mirror image.

#pragma hone kernel inout(a [0:n * n]) in(b [0:n * n]) problem(n = 256)
void s114(float* __restrict a, const float* __restrict b, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) a[i * n + j] = a[j * n + i] + b[i * n + j];
}
