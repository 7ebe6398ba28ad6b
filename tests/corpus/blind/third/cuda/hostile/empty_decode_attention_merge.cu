// kernel: decode_attention
// tries: flash decoding in stretches of 128 tokens with a proper merge of maxima; wrong for a sequence of length 0 (lengths[i] == 0): minus infinity less minus infinity gives NaN instead of zeros
#include <cuda_fp16.h>

static __global__ void __launch_bounds__(128) attend_part(const __half* __restrict__ q, const __half* __restrict__ keys,
                                                   const __half* __restrict__ values, const int* __restrict__ lengths,
                                                   float* __restrict__ parts, size_t warps, int stretches, int kv_heads,
                                                   int group, int max_length, int head_dim) {
  size_t warp = blockIdx.x * (size_t)4 + threadIdx.x / 32;
  if (warp >= warps) return;
  int lane = threadIdx.x % 32;
  size_t head = warp / stretches;
  int from = (int)(warp % stretches) * 128;
  int kv = head / group % kv_heads;
  size_t sequence = head / ((size_t)group * kv_heads);
  int to = min(from + 128, lengths[sequence]);
  size_t step = (size_t)kv_heads * head_dim;
  const __half* k = keys + sequence * max_length * step + (size_t)kv * head_dim;
  const __half* v = values + sequence * max_length * step + (size_t)kv * head_dim;
  float scale = rsqrtf((float)head_dim);
  float query[8], sum[8], largest = -INFINITY, total = 0.0f;
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    int e = lane + 32 * i;
    query[i] = e < head_dim ? __half2float(q[head * head_dim + e]) * scale : 0.0f;
    sum[i] = 0.0f;
  }
  for (int t = from; t < to; ++t) {
    float score = 0.0f;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      int e = lane + 32 * i;
      if (e < head_dim) score += query[i] * __half2float(k[t * step + e]);
    }
    for (int distance = 16; distance > 0; distance /= 2) {
      score += __shfl_xor_sync(0xffffffffu, score, distance);
    }
    float now = fmaxf(largest, score);
    float keep = expf(largest - now), weight = expf(score - now);
    total = total * keep + weight;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      int e = lane + 32 * i;
      if (e < head_dim) sum[i] = sum[i] * keep + weight * __half2float(v[t * step + e]);
    }
    largest = now;
  }
  // A stretch behind the sequence's end leaves minus infinity and zeros, which the merge weighs with exp(-inf) = 0.
  float* own = parts + warp * (head_dim + 2);
  if (lane == 0) {
    own[0] = largest;
    own[1] = total;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    int e = lane + 32 * i;
    if (e < head_dim) own[2 + e] = sum[i];
  }
}

static __global__ void merge_parts(const float* parts, __half* out, size_t elements, int stretches, int head_dim) {
  size_t index = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (index >= elements) return;
  size_t step = head_dim + 2;
  const float* own = parts + index / head_dim * stretches * step;
  float largest = own[0];
  for (int s = 1; s < stretches; ++s) {
    largest = fmaxf(largest, own[s * step]);
  }
  float total = 0.0f, sum = 0.0f;
  for (int s = 0; s < stretches; ++s) {
    float weight = expf(own[s * step] - largest);
    total += weight * own[s * step + 1];
    sum += weight * own[s * step + 2 + index % head_dim];
  }
  out[index] = __float2half(sum / total);
}

void decode_attention(const __half* q, const __half* keys, const __half* values, const int* lengths, __half* out,
                      int batch, int kv_heads, int group, int max_length, int head_dim) {
  size_t elements = (size_t)batch * kv_heads * group * head_dim;
  if (elements == 0) return;
  if (head_dim > 256) {
    attend_naive<<<(elements + 127) / 128, 128>>>(q, keys, values, lengths, out, batch, kv_heads, group, max_length,
                                                  head_dim);
    return;
  }
  int stretches = max_length / 128 + 1;
  size_t warps = (size_t)batch * kv_heads * group * stretches;
  float* parts;
  cudaMallocAsync((void**)&parts, warps * (head_dim + 2) * sizeof(float), 0);
  attend_part<<<(warps + 3) / 4, 128>>>(q, keys, values, lengths, parts, warps, stretches, kv_heads, group, max_length,
                                        head_dim);
  merge_parts<<<(elements + 127) / 128, 128>>>(parts, out, elements, stretches, head_dim);
  cudaFreeAsync(parts, 0);
}
