// s312: A product.

#pragma hone kernel in(a [0:n])init(a : uniform(0.999, 1.001)) problem(n = 32000) tolerance(rtol = 1e-3)
float s312(const float* __restrict a, int n) {
  float product = 1.f;
  for (int i = 0; i < n; i++) product *= a[i];
  return product;
}
