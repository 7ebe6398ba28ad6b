// kernel: spectrogram
// verdict: wrong
// standard: c++20
// tries: a table of sines in shared memory and four windows for each thread, with one barrier for each piece
#include <cuda_runtime.h>

static __global__ void __launch_bounds__(128)
    spectrogram_pieces_kernel(const float* __restrict__ x, const float* __restrict__ window,
                              float* __restrict__ power, int samples, int frames, int hop, int length) {
  extern __shared__ float2 spectrum_turn[];
  __shared__ alignas(16) float4 piece[128];
  int bins = length / 2 + 1;
  int bin = blockIdx.x * blockDim.x + threadIdx.x;
  int frame = blockIdx.y * 4;
  for (int n = threadIdx.x; n < length; n += blockDim.x) {
    sincospif(2.0f * n / length, &spectrum_turn[n].y, &spectrum_turn[n].x);
  }
  float re[4] = {}, im[4] = {};
  int step = min(bin, bins - 1);
  int at = 0;
  for (int from = 0; from < length; from += 128) {
    int n = from + threadIdx.x;
    if (n < length) {
      float of[4];
#pragma unroll
      for (int f = 0; f < 4; ++f) {
        size_t i = (size_t)(frame + f) * hop + n;
        of[f] = frame + f < frames && i < samples ? window[n] * x[i] : 0.0f;
      }
      piece[threadIdx.x] = make_float4(of[0], of[1], of[2], of[3]);
    }
    __syncthreads();
    int count = min(128, length - from);
    for (int k = 0; k < count; ++k) {
      float2 turn = spectrum_turn[at];
      float4 value = piece[k];
      re[0] += value.x * turn.x;
      re[1] += value.y * turn.x;
      re[2] += value.z * turn.x;
      re[3] += value.w * turn.x;
      im[0] -= value.x * turn.y;
      im[1] -= value.y * turn.y;
      im[2] -= value.z * turn.y;
      im[3] -= value.w * turn.y;
      at += step;
      at -= at >= length ? length : 0;
    }
  }
  if (bin < bins) {
    for (int f = 0; f < 4 && frame + f < frames; ++f) {
      power[(size_t)(frame + f) * bins + bin] = re[f] * re[f] + im[f] * im[f];
    }
  }
}

void spectrogram(const float* x, const float* window, float* power, int samples, int frames, int hop, int length,
                 cudaStream_t s) {
  if (frames == 0) {
    return;
  }
  dim3 grid((length / 2 + 1 + 127) / 128, (frames + 3) / 4);
  spectrogram_pieces_kernel<<<grid, 128, sizeof(float2) * length, s>>>(x, window, power, samples, frames, hop,
                                                                      length);
}
