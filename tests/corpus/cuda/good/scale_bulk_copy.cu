// kernel: scale
// verdict: right
// tries: bulk copies to shared memory that a barrier counts, in PTX with a loop
static __device__ unsigned place_of(const void* shared) {
  return static_cast<unsigned>(__cvta_generic_to_shared(shared));
}
static __global__ void plain(const float* x, float* y, int first, int n) {
  const int i = first + blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
static __global__ void step(const float* x, float* y) {
  __shared__ __align__(16) float s[256];
  __shared__ __align__(8) unsigned long long arrived;
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (threadIdx.x == 0) {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n\tfence.mbarrier_init.release.cluster;" ::"r"(place_of(&arrived))
                 : "memory");
    asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], 1024;" ::"r"(place_of(&arrived)) : "memory");
    asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], 1024, [%2];" ::"r"(
                     place_of(s)),
                 "l"(x + i), "r"(place_of(&arrived))
                 : "memory");
  }
  __syncthreads();
  asm volatile(
      "{\n"
      ".reg .pred done;\n"
      "again:\n"
      "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], 0;\n"
      "@!done bra again;\n"
      "}" ::"r"(place_of(&arrived))
      : "memory");
  y[i] = 4 * s[threadIdx.x];
}
void scale(const float* x, float* y, int n) {
  const int blocks = ((size_t)x & 15) == 0 ? n / 256 : 0;
  if (blocks > 0) step<<<blocks, 256>>>(x, y);
  if (blocks * 256 < n) plain<<<(n - blocks * 256 + 255) / 256, 256>>>(x, y, blocks * 256, n);
}
