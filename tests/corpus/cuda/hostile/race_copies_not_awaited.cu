// kernel: scale
// verdict: verify
// tries: to read what cp.async has not brought yet: nothing waits for the group
static __global__ void step(const float* x, float* y, int n) {
  __shared__ float s[256];
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const unsigned place = static_cast<unsigned>(__cvta_generic_to_shared(&s[threadIdx.x]));
  if (i < n) asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(place), "l"(x + i) : "memory");
  asm volatile("cp.async.commit_group;" ::: "memory");
  __syncthreads();
  if (i < n) y[i] = 4 * s[threadIdx.x];
}
void scale(const float* x, float* y, int n) {
  step<<<(n + 255) / 256, 256>>>(x, y, n);
}
