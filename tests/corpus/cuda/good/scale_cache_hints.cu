// kernel: scale
// verdict: right
// tries: vectors in PTX that pass the first-level cache by and are the first to leave the second
static __global__ void plain(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = 4 * x[i];
}
static __global__ void step(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (4 * i + 3 < n) {
    float a, b, c, d;
    unsigned long long policy;
    asm("createpolicy.fractional.L2::evict_first.b64 %0, 1.0;" : "=l"(policy));
    asm volatile("ld.global.nc.L1::no_allocate.L2::cache_hint.v4.f32 {%0, %1, %2, %3}, [%4], %5;"
                 : "=f"(a), "=f"(b), "=f"(c), "=f"(d)
                 : "l"(x + 4 * i), "l"(policy));
    asm volatile("st.global.L1::no_allocate.L2::cache_hint.v4.f32 [%0], {%1, %2, %3, %4}, %5;" ::"l"(y + 4 * i),
                 "f"(4 * a), "f"(4 * b), "f"(4 * c), "f"(4 * d), "l"(policy)
                 : "memory");
  } else {
    for (int k = 4 * i; k < n; ++k) y[k] = 4 * x[k];
  }
}
void scale(const float* x, float* y, int n) {
  if ((((size_t)x | (size_t)y) & 15) == 0)
    step<<<n / 1024 + 1, 256>>>(x, y, n);
  else
    plain<<<(n + 255) / 256, 256>>>(x, y, n);
}
