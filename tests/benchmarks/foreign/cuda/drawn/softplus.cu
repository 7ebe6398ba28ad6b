// KernelBench's Softplus: log(1 + exp(x)) of each element, which is x itself above 20; one thread for each.

__global__ void soften(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    y[i] = x[i] > 20.0f ? x[i] : log1pf(expf(x[i]));
  }
}

#pragma hone kernel in(x[0 : n]) out(y[0 : n]) init(x : uniform(-10, 30)) problem(n = 4096 * 2048) \
    problem(n = 1000003) tolerance(rtol = 1e-4, atol = 1e-6)
void softplus(const float* x, float* y, int n) {
  soften<<<(n + 255) / 256, 256>>>(x, y, n);
}
