// Four elements a load: as far as saxpy can go.
#include <cstdint>

namespace {

bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

__global__ void add_scaled_quads(float a, const float* __restrict__ x, float* __restrict__ y, int n, int quads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < quads) {
    const float4 p = reinterpret_cast<const float4*>(x)[i];
    float4 q = reinterpret_cast<float4*>(y)[i];
    q.x += a * p.x;
    q.y += a * p.y;
    q.z += a * p.z;
    q.w += a * p.w;
    reinterpret_cast<float4*>(y)[i] = q;
  } else if (const int rest = 4 * quads + i - quads; rest < n) {
    y[rest] += a * x[rest];
  }
}

}  // namespace

void saxpy(float a, const float* x, float* y, int n) {
  const int quads = is_aligned(x) && is_aligned(y) ? n / 4 : 0;
  const int threads = quads + (n - 4 * quads);
  add_scaled_quads<<<(threads + 255) / 256, 256>>>(a, x, y, n, quads);
}
