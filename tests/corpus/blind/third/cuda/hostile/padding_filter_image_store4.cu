// kernel: filter_image
// tries: four pixels beside each other a thread and one store of four bytes where it stays within the image's memory; wrong where width % 4 != 0, pitch % 4 == 0 and pitch >= width + 4 - width % 4: the store goes on into the padding between rows, which the original leaves alone
#include <cstdint>

static __global__ void __launch_bounds__(256) filter_quads(const unsigned char* __restrict__ from,
                                                    unsigned char* __restrict__ to, const short* __restrict__ taps,
                                                    int width, int height, int pitch, int radius, int shift, int quads,
                                                    bool aligned) {
  __shared__ short weights[65 * 65];
  int size = 2 * radius + 1;
  for (int i = threadIdx.x; i < size * size; i += 256) {
    weights[i] = taps[i];
  }
  __syncthreads();
  size_t index = blockIdx.x * (size_t)256 + threadIdx.x;
  if (index >= (size_t)quads * height) return;
  int x = (int)(index % quads) * 4, y = (int)(index / quads);
  int start = shift > 0 ? 1 << (shift - 1) : 0;
  int sum[4] = {start, start, start, start};
  for (int dy = 0; dy < size; ++dy) {
    const unsigned char* row = from + (size_t)min(max(y + dy - radius, 0), height - 1) * pitch;
    // A window of four pixels that slides over the row.
    int window[4];
#pragma unroll
    for (int k = 0; k < 3; ++k) {
      window[k + 1] = row[min(max(x + k - radius, 0), width - 1)];
    }
    for (int dx = 0; dx < size; ++dx) {
      window[0] = window[1];
      window[1] = window[2];
      window[2] = window[3];
      window[3] = row[min(max(x + dx + 3 - radius, 0), width - 1)];
      int weight = weights[dy * size + dx];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        sum[k] += weight * window[k];
      }
    }
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    sum[k] = min(max(sum[k] >> shift, 0), 255);
  }
  size_t at = (size_t)y * pitch + x, end = (size_t)(height - 1) * pitch + width;
  // Rows are padded to the pitch, so a whole quad may be stored unless it leaves the image or the row's memory.
  if (aligned && x + 4 <= pitch && at + 4 <= end) {
    *(uchar4*)(to + at) = make_uchar4(sum[0], sum[1], sum[2], sum[3]);
  } else {
    for (int k = 0; k < 4 && x + k < width; ++k) {
      to[at + k] = (unsigned char)sum[k];
    }
  }
}

void filter_image(const unsigned char* from, unsigned char* to, const short* taps, int width, int height, int pitch,
                  int radius, int shift) {
  if (width == 0 || height == 0) return;
  int quads = (width + 3) / 4;
  bool aligned = pitch % 4 == 0 && (uintptr_t)to % 4 == 0;
  filter_quads<<<(unsigned)(((size_t)quads * height + 255) / 256), 256>>>(from, to, taps, width, height, pitch, radius,
                                                                        shift, quads, aligned);
}
