// 32x32 pixels a block with their surroundings and the weights in shared memory; each thread has four rows of a column.

namespace {

constexpr int tile = 32, strip = 8, own = tile / strip;

template <int fixed>
__global__ void __launch_bounds__(tile* strip)
    filter_tile(const float* __restrict__ picture, const float* __restrict__ weights, float* __restrict__ result, int w,
                int h, int any_size) {
  extern __shared__ float shared[];
  const int size = fixed > 0 ? fixed : any_size, side = tile + size - 1;
  float* pixels = shared;
  float* filter = shared + side * side;
  const int first_x = blockIdx.x * tile, first_y = blockIdx.y * tile, thread = threadIdx.y * tile + threadIdx.x;
  for (int i = threadIdx.y; i < side; i += strip) {
    for (int j = threadIdx.x; j < side; j += tile) {
      const int y = first_y + i - size / 2, x = first_x + j - size / 2;
      pixels[i * side + j] = y >= 0 && y < h && x >= 0 && x < w ? picture[y * w + x] : 0.0f;
    }
  }
  for (int i = thread; i < size * size; i += tile * strip) filter[i] = weights[i];
  __syncthreads();
  const float* corner = pixels + threadIdx.y * own * side + threadIdx.x;
  float sums[own] = {};
#pragma unroll
  for (int dx = 0; dx < size; ++dx) {
    if constexpr (fixed > 0) {
      float column[fixed + own];
#pragma unroll
      for (int i = 0; i < fixed + own - 1; ++i) column[i] = corner[i * side + dx];
#pragma unroll
      for (int dy = 0; dy < fixed; ++dy) {
        const float weight = filter[dy * size + dx];
#pragma unroll
        for (int i = 0; i < own; ++i) sums[i] += column[dy + i] * weight;
      }
    } else {
      for (int dy = 0; dy < size; ++dy) {
        const float weight = filter[dy * size + dx];
#pragma unroll
        for (int i = 0; i < own; ++i) sums[i] += corner[(dy + i) * side + dx] * weight;
      }
    }
  }
  const int x = first_x + threadIdx.x;
#pragma unroll
  for (int i = 0; i < own; ++i) {
    const int y = first_y + threadIdx.y * own + i;
    if (x < w && y < h) result[y * w + x] = sums[i];
  }
}

// For filters too large for shared memory.
__global__ void filter_pixel(const float* picture, const float* weights, float* result, int w, int h, int size) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int dy = max(0, size / 2 - y); dy < size && y + dy - size / 2 < h; ++dy)
    for (int dx = max(0, size / 2 - x); dx < size && x + dx - size / 2 < w; ++dx)
      sum += picture[(y + dy - size / 2) * w + x + dx - size / 2] * weights[dy * size + dx];
  result[y * w + x] = sum;
}

}  // namespace

void convolution_2d(const float* picture, const float* weights, float* result, int w, int h, int size) {
  const dim3 block(tile, strip), grid((w + tile - 1) / tile, (h + tile - 1) / tile);
  const int side = tile + size - 1, bytes = (side * side + size * size) * static_cast<int>(sizeof(float));
  if (size == 3) {
    filter_tile<3><<<grid, block, bytes>>>(picture, weights, result, w, h, size);
  } else if (size == 5) {
    filter_tile<5><<<grid, block, bytes>>>(picture, weights, result, w, h, size);
  } else if (size == 7) {
    filter_tile<7><<<grid, block, bytes>>>(picture, weights, result, w, h, size);
  } else if (size > 0 && bytes <= 48 * 1024) {
    filter_tile<0><<<grid, block, bytes>>>(picture, weights, result, w, h, size);
  } else {
    filter_pixel<<<dim3((w + 31) / 32, (h + 7) / 8), dim3(32, 8)>>>(picture, weights, result, w, h, size);
  }
}
