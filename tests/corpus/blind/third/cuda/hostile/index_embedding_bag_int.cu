// kernel: embedding_bag
// tries: a warp for each bag and 128 columns with four bytes a lane; wrong where vocabulary * dim exceeds 2^31 bytes (2 GiB, as vocabulary = 20000000, dim = 128) and an index lies behind it: row * dim is computed in 32 bits and handed from lane to lane
#include <cstdint>

template <bool vector>
static __global__ void __launch_bounds__(256) bag_warps(const unsigned char* __restrict__ table,
                                                 const float* __restrict__ scales, const float* __restrict__ zeros,
                                                 const int* __restrict__ indices, const int* __restrict__ offsets,
                                                 float* __restrict__ out, int bags, int parts, int dim) {
  long long warp = blockIdx.x * 8ll + (threadIdx.x >> 5);
  if (warp >= (long long)bags * parts) return;
  int bag = (int)(warp / parts), first = (int)(warp % parts) * 128, lane = threadIdx.x & 31;
  int from = offsets[bag], to = offsets[bag + 1];
  const unsigned char* column = table + first + (vector ? 4 * lane : lane);
  float4 sum = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  int left = dim - first - (vector ? 4 * lane : lane);
  for (int start = from; start < to; start += 32) {
    // Each lane fetches one index and where its row begins; the warp then walks over them.
    int own_at = 0;
    float own_scale = 0.0f, own_zero = 0.0f;
    if (start + lane < to) {
      int row = indices[start + lane];
      own_at = row * dim;
      own_scale = scales[row];
      own_zero = zeros[row];
    }
    int here = min(32, to - start);
#pragma unroll 4
    for (int i = 0; i < here; ++i) {
      int at = __shfl_sync(0xffffffffu, own_at, i);
      float scale = __shfl_sync(0xffffffffu, own_scale, i), zero = __shfl_sync(0xffffffffu, own_zero, i);
      if (vector) {
        if (left > 0) {
          uchar4 b = *(const uchar4*)(column + at);
          sum.x += b.x * scale + zero;
          sum.y += b.y * scale + zero;
          sum.z += b.z * scale + zero;
          sum.w += b.w * scale + zero;
        }
      } else {
        if (left > 0) sum.x += column[at] * scale + zero;
        if (left > 32) sum.y += column[at + 32] * scale + zero;
        if (left > 64) sum.z += column[at + 64] * scale + zero;
        if (left > 96) sum.w += column[at + 96] * scale + zero;
      }
    }
  }
  if (to > from) {
    float n = to - from;
    sum.x /= n;
    sum.y /= n;
    sum.z /= n;
    sum.w /= n;
  }
  float* result = out + (size_t)bag * dim + first + (vector ? 4 * lane : lane);
  int apart = vector ? 1 : 32;
  if (left > 0) result[0] = sum.x;
  if (left > apart) result[apart] = sum.y;
  if (left > 2 * apart) result[2 * apart] = sum.z;
  if (left > 3 * apart) result[3 * apart] = sum.w;
}

void embedding_bag(const unsigned char* table, const float* scales, const float* zeros, const int* indices,
                   const int* offsets, float* out, int vocabulary, int dim, int bags, int count) {
  if (bags == 0 || dim == 0) return;
  int parts = (dim + 127) / 128;
  unsigned blocks = (unsigned)(((long long)bags * parts + 7) / 8);
  if (dim % 4 == 0 && (uintptr_t)table % 4 == 0) {
    bag_warps<true><<<blocks, 256>>>(table, scales, zeros, indices, offsets, out, bags, parts, dim);
  } else {
    bag_warps<false><<<blocks, 256>>>(table, scales, zeros, indices, offsets, out, bags, parts, dim);
  }
}
