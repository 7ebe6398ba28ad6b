// kernel: decode_attention
// tries: flash decoding, one warp for each head and stretch of 128 tokens with four tokens at a time, and a kernel that merges the stretches; an empty sequence gives zeros
#include <cuda_fp16.h>

#include <cstdint>

template <bool pairs>
static __global__ void __launch_bounds__(128) attend_stretch(const __half* __restrict__ q, const __half* __restrict__ keys,
                                                      const __half* __restrict__ values,
                                                      const int* __restrict__ lengths, float* __restrict__ partial,
                                                      size_t warps, int stretches, int kv_heads, int group,
                                                      int max_length, int head_dim) {
  size_t warp = blockIdx.x * (size_t)4 + threadIdx.x / 32;
  if (warp >= warps) return;
  int lane = threadIdx.x % 32;
  size_t head = warp / stretches;
  int stretch = warp % stretches;
  int kv = head / group % kv_heads;
  size_t sequence = head / ((size_t)group * kv_heads);
  int from = stretch * 128;
  int to = min(from + 128, lengths[sequence]);
  float* own = partial + warp * (head_dim + 2);
  if (from >= to) {
    if (lane == 0) {
      own[0] = -INFINITY;
      own[1] = 0.0f;
    }
    return;
  }
  size_t step = (size_t)kv_heads * head_dim;
  const __half* k = keys + sequence * max_length * step + (size_t)kv * head_dim;
  const __half* v = values + sequence * max_length * step + (size_t)kv * head_dim;
  float scale = rsqrtf((float)head_dim);
  float query[8], sum[8];
  auto load = [&](const __half* p, float* into) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      if (pairs) {
        int e = 2 * (lane + 32 * i);
        float2 two = e < head_dim ? __half22float2(*(const __half2*)(p + e)) : make_float2(0.0f, 0.0f);
        into[2 * i] = two.x;
        into[2 * i + 1] = two.y;
      } else {
        int e = lane + 64 * i;
        into[2 * i] = e < head_dim ? __half2float(p[e]) : 0.0f;
        into[2 * i + 1] = e + 32 < head_dim ? __half2float(p[e + 32]) : 0.0f;
      }
    }
  };
  load(q + head * head_dim, query);
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    query[i] *= scale;
    sum[i] = 0.0f;
  }
  float largest = -INFINITY, total = 0.0f;
  for (int t = from; t < to; t += 4) {
    float score[4];
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      score[u] = 0.0f;
      if (t + u < to) {
        float key[8];
        load(k + (size_t)(t + u) * step, key);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          score[u] += query[i] * key[i];
        }
      }
    }
#pragma unroll
    for (int distance = 16; distance > 0; distance /= 2) {
#pragma unroll
      for (int u = 0; u < 4; ++u) {
        score[u] += __shfl_xor_sync(0xffffffffu, score[u], distance);
      }
    }
    float now = largest;
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      score[u] = t + u < to ? score[u] : -INFINITY;
      now = fmaxf(now, score[u]);
    }
    float keep = __expf(largest - now);
    total *= keep;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      sum[i] *= keep;
    }
#pragma unroll
    for (int u = 0; u < 4; ++u) {
      if (t + u < to) {
        float weight = expf(score[u] - now), value[8];
        total += weight;
        load(v + (size_t)(t + u) * step, value);
#pragma unroll
        for (int i = 0; i < 8; ++i) {
          sum[i] += weight * value[i];
        }
      }
    }
    largest = now;
  }
  if (lane == 0) {
    own[0] = largest;
    own[1] = total;
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    int e = pairs ? 2 * (lane + 32 * (i / 2)) + i % 2 : lane + 32 * i;
    if (e < head_dim) {
      own[2 + e] = sum[i];
    }
  }
}

static __global__ void merge_stretches(const float* partial, __half* out, size_t elements, int stretches, int head_dim) {
  size_t index = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (index >= elements) return;
  int d = index % head_dim;
  const float* own = partial + index / head_dim * stretches * (head_dim + 2);
  float largest = -INFINITY;
  for (int s = 0; s < stretches; ++s) {
    largest = fmaxf(largest, own[(size_t)s * (head_dim + 2)]);
  }
  float total = 0.0f, sum = 0.0f;
  for (int s = 0; s < stretches; ++s) {
    const float* part = own + (size_t)s * (head_dim + 2);
    if (part[1] > 0.0f) {
      float weight = expf(part[0] - largest);
      total += weight * part[1];
      sum += weight * part[2 + d];
    }
  }
  out[index] = __float2half(total > 0.0f ? sum / total : 0.0f);
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
  float* partial;
  cudaMallocAsync((void**)&partial, warps * (head_dim + 2) * sizeof(float), 0);
  bool pairs = head_dim % 2 == 0 && ((uintptr_t)q | (uintptr_t)keys | (uintptr_t)values) % 4 == 0;
  if (pairs) {
    attend_stretch<true><<<(warps + 3) / 4, 128>>>(q, keys, values, lengths, partial, warps, stretches, kv_heads, group,
                                                   max_length, head_dim);
  } else {
    attend_stretch<false><<<(warps + 3) / 4, 128>>>(q, keys, values, lengths, partial, warps, stretches, kv_heads,
                                                    group, max_length, head_dim);
  }
  merge_stretches<<<(elements + 127) / 128, 128>>>(partial, out, elements, stretches, head_dim);
  cudaFreeAsync(partial, 0);
}
