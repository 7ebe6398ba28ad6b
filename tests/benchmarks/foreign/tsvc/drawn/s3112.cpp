// s3112: Running sums.

#pragma hone kernel in(a [0:n])out(b [0:n]) problem(n = 32000) tolerance(rtol = 1e-4)
float s3112(const float* __restrict a, float* __restrict b, int n) {
  float sum = 0.f;
  for (int i = 0; i < n; i++) {
    sum += a[i];
    b[i] = sum;
  }
  return sum;
}
