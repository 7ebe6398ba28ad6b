// kernel: spectrogram
// verdict: right
// standard: c++20
// tries: a table of one turn's sines in shared memory, four windows for each thread, windowed samples read once
#include <cuda_runtime.h>

static constexpr int SPECTRUM_FRAMES = 4;
static constexpr int SPECTRUM_CHUNK = 128;

static __global__ void __launch_bounds__(128)
    spectrogram_table_kernel(const float* __restrict__ x, const float* __restrict__ window,
                             float* __restrict__ power, int samples, int frames, int hop, int length) {
  extern __shared__ float2 spectrum_turn[];
  __shared__ alignas(16) float piece[SPECTRUM_CHUNK][SPECTRUM_FRAMES];
  int bins = length / 2 + 1;
  int bin = blockIdx.x * blockDim.x + threadIdx.x;
  int frame = blockIdx.y * SPECTRUM_FRAMES;
  for (int n = threadIdx.x; n < length; n += blockDim.x) {
    sincospif(2.0f * n / length, &spectrum_turn[n].y, &spectrum_turn[n].x);
  }
  float re[SPECTRUM_FRAMES] = {}, im[SPECTRUM_FRAMES] = {};
  int step = bin < bins ? bin : 0;
  int at = 0;  // step * n modulo length
  for (int from = 0; from < length; from += SPECTRUM_CHUNK) {
    int count = min(SPECTRUM_CHUNK, length - from);
    __syncthreads();
    if (threadIdx.x < count) {
      int n = from + threadIdx.x;
      float weight = window[n];
#pragma unroll
      for (int f = 0; f < SPECTRUM_FRAMES; ++f) {
        size_t i = (size_t)(frame + f) * hop + n;
        piece[threadIdx.x][f] = frame + f < frames && i < samples ? weight * x[i] : 0.0f;
      }
    }
    __syncthreads();
#pragma unroll 4
    for (int n = 0; n < count; ++n) {
      float2 turn = spectrum_turn[at];
      float4 value = *reinterpret_cast<const float4*>(piece[n]);
      float of[SPECTRUM_FRAMES] = {value.x, value.y, value.z, value.w};
#pragma unroll
      for (int f = 0; f < SPECTRUM_FRAMES; ++f) {
        re[f] += of[f] * turn.x;
        im[f] -= of[f] * turn.y;
      }
      at += step;
      at -= at >= length ? length : 0;
    }
  }
  if (bin < bins) {
    for (int f = 0; f < SPECTRUM_FRAMES && frame + f < frames; ++f) {
      power[(size_t)(frame + f) * bins + bin] = re[f] * re[f] + im[f] * im[f];
    }
  }
}

void spectrogram(const float* x, const float* window, float* power, int samples, int frames, int hop, int length,
                 cudaStream_t s) {
  if (frames == 0) {
    return;
  }
  dim3 grid((length / 2 + 1 + 127) / 128, (frames + SPECTRUM_FRAMES - 1) / SPECTRUM_FRAMES);
  spectrogram_table_kernel<<<grid, 128, sizeof(float2) * length, s>>>(x, window, power, samples, frames, hop,
                                                                     length);
}
