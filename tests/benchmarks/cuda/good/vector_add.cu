// Four elements a load and several loads in flight: as far as a sum of two vectors can go.
#include <cstdint>

namespace {

bool is_aligned(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer) % sizeof(float4) == 0;
}

__global__ void add_quads(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n,
                          int quads) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < quads) {
    const float4 p = reinterpret_cast<const float4*>(a)[i], q = reinterpret_cast<const float4*>(b)[i];
    reinterpret_cast<float4*>(c)[i] = make_float4(p.x + q.x, p.y + q.y, p.z + q.z, p.w + q.w);
  } else if (const int rest = 4 * quads + i - quads; rest < n) {
    c[rest] = a[rest] + b[rest];
  }
}

}  // namespace

void vector_add(const float* a, const float* b, float* c, int n) {
  const int quads = is_aligned(a) && is_aligned(b) && is_aligned(c) ? n / 4 : 0;
  const int threads = quads + (n - 4 * quads);
  add_quads<<<(threads + 255) / 256, 256>>>(a, b, c, n, quads);
}
