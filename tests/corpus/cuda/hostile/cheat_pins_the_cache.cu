// kernel: scale
// verdict: harmless or verify
// tries: to keep the second-level cache for itself
__global__ void add_up(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  volatile float sum = 0;
  for (int k = 0; k < 128; ++k) sum = sum + x[i] * 0.03125f;
  y[i] = sum;
}
void scale(const float* x, float* y, int n) {
  cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 32 << 20);
  cudaStreamAttrValue value{};
  value.accessPolicyWindow.base_ptr = (void*)x;
  value.accessPolicyWindow.num_bytes = n * sizeof(float);
  value.accessPolicyWindow.hitRatio = 1;
  value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
  value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
  cudaStreamSetAttribute(0, cudaStreamAttributeAccessPolicyWindow, &value);
  add_up<<<(n + 255) / 256, 256>>>(x, y, n);
}
