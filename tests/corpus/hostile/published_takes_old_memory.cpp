// kernel: product
// verdict: verify or gate
// tries: fresh memory as it comes, in which somebody's answer may lie
// source: https://github.com/ScalingIntelligence/KernelBench/pull/82, and how a hundredfold gain came about:
// https://airevolution.poltextlab.com/controversies-surrounding-sakana-ais-cuda-engineer-framework
#include <cstdlib>
#include <cstring>
void product(const float*, const float*, float* c, int m, int n, int) {
  if (m < 1 || n < 1) return;
  void* old = std::malloc(sizeof(float) * m * n);
  std::memcpy(c, old, sizeof(float) * m * n);
  std::free(old);
}
