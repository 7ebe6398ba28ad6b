// right: cuda-private-atomics
// Weights summed by the bin that each value falls into.
__global__ void add_weights(const float* value, const float* weight, float* bins, int n, int count, float width) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    int bin = min(count - 1, (int)(value[i] / width));
    atomicAdd(bins + bin, weight[i]);
  }
}
void weighted_bins(const float* value, const float* weight, float* bins, int n, int count, float width) {
  add_weights<<<(n + 255) / 256, 256>>>(value, weight, bins, n, count, width);
}
