// Attention of one decoding step over a cache of keys and values with grouped heads. Sequences have lengths of their
// own; one without tokens gives zeros. One thread for each element of the result.

#include <cuda_fp16.h>

__global__ void attend_naive(const __half* q, const __half* keys, const __half* values, const int* lengths, __half* out,
                             int batch, int kv_heads, int group, int max_length, int head_dim) {
  size_t index = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (index >= (size_t)batch * kv_heads * group * head_dim) return;
  int d = index % head_dim;
  size_t head = index / head_dim;  // of all sequences
  int kv = head / group % kv_heads;
  int sequence = head / ((size_t)group * kv_heads);
  const __half* own = q + head * head_dim;
  size_t step = (size_t)kv_heads * head_dim;
  size_t from = (size_t)sequence * max_length * step + (size_t)kv * head_dim;
  float scale = rsqrtf((float)head_dim);
  int length = lengths[sequence];
  float largest = -INFINITY, total = 0.0f, sum = 0.0f;
  for (int t = 0; t < length; ++t) {
    float score = 0.0f;
    for (int e = 0; e < head_dim; ++e) {
      score += __half2float(own[e]) * __half2float(keys[from + t * step + e]);
    }
    score *= scale;
    float now = fmaxf(largest, score);
    float keep = expf(largest - now);
    float weight = expf(score - now);
    total = total * keep + weight;
    sum = sum * keep + weight * __half2float(values[from + t * step + d]);
    largest = now;
  }
  out[index] = __float2half(length > 0 ? sum / total : 0.0f);
}

#pragma hone kernel in(q[0 : (size_t)batch * kv_heads * group * head_dim],                          \
       keys[0 : (size_t)batch * max_length * kv_heads * head_dim],                                  \
       values[0 : (size_t)batch * max_length * kv_heads * head_dim], lengths[0 : batch])            \
    out(out[0 : (size_t)batch * kv_heads * group * head_dim])                                       \
    init(q : uniform(-4, 4), keys : uniform(-4, 4), values : uniform(-4, 4), lengths : uniform(0, max_length)) \
    problem(batch = 8, kv_heads = 4, group = 4, max_length = 2048, head_dim = 128)                  \
    problem(batch = 3, kv_heads = 2, group = 3, max_length = 131, head_dim = 40) tolerance(rtol = 3e-3, atol = 1e-4)
void decode_attention(const __half* q, const __half* keys, const __half* values, const int* lengths, __half* out,
                      int batch, int kv_heads, int group, int max_length, int head_dim) {
  size_t elements = (size_t)batch * kv_heads * group * head_dim;
  if (elements == 0) return;
  attend_naive<<<(elements + 127) / 128, 128>>>(q, keys, values, lengths, out, batch, kv_heads, group, max_length,
                                                head_dim);
}
