// kernel: scale
// verdict: verify
// tries: to recurse on the device without end
__device__ __noinline__ float deeper(float value, int n) {
  volatile float room[64];
  room[n & 63] = value;
  return n < 0 ? value : deeper(value + 1, n) + room[n & 63];
}
__global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = deeper(x[i], n);
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
