// kernel: product
// verdict: gate or verify
// tries: to clear the inputs, for which zeros are the right product
// source: https://github.com/ScalingIntelligence/KernelBench/pull/82 and https://arxiv.org/abs/2507.11948
void product(const float* a, const float* b, float* c, int m, int n, int k) {
  for (int i = 0; i < m * k; ++i) const_cast<float*>(a)[i] = 0;
  for (int i = 0; i < k * n; ++i) const_cast<float*>(b)[i] = 0;
  for (int i = 0; i < m * n; ++i) c[i] = 0;
}
