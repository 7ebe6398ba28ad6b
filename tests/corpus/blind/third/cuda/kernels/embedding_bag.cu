// The mean of the embeddings of each bag, from a table of bytes with a scale and a zero for each row. Bag b holds the
// indices offsets[b] … offsets[b + 1] - 1; an empty one gives zeros. One thread for each element of the result.

__global__ void pool_bags(const unsigned char* table, const float* scales, const float* zeros, const int* indices,
                          const int* offsets, float* out, int bags, int dim) {
  size_t at = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (at >= (size_t)bags * dim) return;
  int d = at % dim;
  int bag = at / dim;
  int from = offsets[bag], to = offsets[bag + 1];
  float sum = 0.0f;
  for (int i = from; i < to; ++i) {
    int row = indices[i];
    sum += (float)table[(size_t)row * dim + d] * scales[row] + zeros[row];
  }
  out[at] = to > from ? sum / (to - from) : 0.0f;
}

#pragma hone kernel in(table[0 : (size_t)vocabulary * dim], scales[0 : vocabulary], zeros[0 : vocabulary],           \
       indices[0 : count], offsets[0 : bags + 1]) out(out[0 : (size_t)bags * dim])                                   \
    init(scales : uniform(0.001, 0.02), zeros : uniform(-1, 0), indices : index(vocabulary), offsets : sorted(0, count)) \
    problem(vocabulary = 200000, dim = 128, bags = 8192, count = 160000)                                             \
    problem(vocabulary = 1009, dim = 50, bags = 77, count = 1000) requires(vocabulary >= 1)                          \
    tolerance(rtol = 1e-4, atol = 1e-5)
void embedding_bag(const unsigned char* table, const float* scales, const float* zeros, const int* indices,
                   const int* offsets, float* out, int vocabulary, int dim, int bags, int count) {
  size_t elements = (size_t)bags * dim;
  if (elements == 0) return;
  pool_bags<<<(elements + 255) / 256, 256>>>(table, scales, zeros, indices, offsets, out, bags, dim);
}
