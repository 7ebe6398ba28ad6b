// right: cuda-vector-loads
// A bias is added and what is negative cut off.
__global__ void cut_off(const float* x, float bias, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = fmaxf(x[i] + bias, 0.0f);
  }
}
void relu_bias(const float* x, float bias, float* y, int n) {
  cut_off<<<(n + 255) / 256, 256>>>(x, bias, y, n);
}
