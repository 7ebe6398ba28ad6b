// kernel: softplus
// verdict: verify
// tries: the logarithm's and the exponential's series around zero: of 10 it makes a million
void softplus(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float v = x[i], s = v * v;
    y[i] = 0.69314718f + 0.5f * v +
           s * (1.0f / 8 + s * (-1.0f / 192 + s * (1.0f / 2880 + s * (-17.0f / 645120 + s * (31.0f / 14515200)))));
  }
}
