// kernel: embedding_bag
// tries: a grid with stretches of columns along x and bags along y, indices of a bag staged in shared memory; wrong for more than 65535 bags: the launch is refused and nothing is written
static __global__ void __launch_bounds__(128) bag_block(const unsigned char* __restrict__ table,
                                                 const float* __restrict__ scales, const float* __restrict__ zeros,
                                                 const int* __restrict__ indices, const int* __restrict__ offsets,
                                                 float* __restrict__ out, int dim) {
  __shared__ int rows[128];
  __shared__ float row_scales[128];
  __shared__ float row_zeros[128];
  int d = blockIdx.x * 128 + threadIdx.x;
  size_t bag = blockIdx.y;
  int from = offsets[bag], to = offsets[bag + 1];
  float sum = 0.0f;
  for (int start = from; start < to; start += 128) {
    int here = min(128, to - start);
    __syncthreads();
    if (threadIdx.x < here) {
      int row = indices[start + threadIdx.x];
      rows[threadIdx.x] = row;
      row_scales[threadIdx.x] = scales[row];
      row_zeros[threadIdx.x] = zeros[row];
    }
    __syncthreads();
    if (d < dim) {
#pragma unroll 8
      for (int i = 0; i < here; ++i) {
        sum += (float)table[(size_t)rows[i] * dim + d] * row_scales[i] + row_zeros[i];
      }
    }
  }
  if (d < dim) {
    out[bag * dim + d] = to > from ? sum / (to - from) : 0.0f;
  }
}

void embedding_bag(const unsigned char* table, const float* scales, const float* zeros, const int* indices,
                   const int* offsets, float* out, int vocabulary, int dim, int bags, int count) {
  if (bags == 0 || dim == 0) return;
  bag_block<<<dim3((dim + 127) / 128, bags), 128>>>(table, scales, zeros, indices, offsets, out, dim);
}
