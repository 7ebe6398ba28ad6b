// kernel: filter_image
// tries: a tile of 64 x 16 pixels with its border and the taps in dynamic shared memory, four pixels below each other a thread; a flat grid; padding untouched
template <int fixed_radius>
static __global__ void __launch_bounds__(256) filter_tile(const unsigned char* __restrict__ from,
                                                   unsigned char* __restrict__ to, const short* __restrict__ taps,
                                                   int width, int height, int pitch, int any_radius, int shift,
                                                   int tiles_x) {
  extern __shared__ int dynamic[];
  int radius = fixed_radius >= 0 ? fixed_radius : any_radius;
  int size = 2 * radius + 1, columns = 64 + 2 * radius, rows = 16 + 2 * radius;
  int* weights = dynamic;
  unsigned char* pixels = (unsigned char*)(dynamic + size * size);
  int x0 = blockIdx.x % tiles_x * 64, y0 = blockIdx.x / tiles_x * 16;
  for (int i = threadIdx.x; i < size * size; i += 256) {
    weights[i] = taps[i];
  }
  for (int i = threadIdx.x; i < rows * columns; i += 256) {
    int x = min(max(x0 + i % columns - radius, 0), width - 1);
    int y = min(max(y0 + i / columns - radius, 0), height - 1);
    pixels[i] = from[(size_t)y * pitch + x];
  }
  __syncthreads();
  int x = threadIdx.x % 64, y = threadIdx.x / 64 * 4;
  int start = shift > 0 ? 1 << (shift - 1) : 0;
  int sum[4] = {start, start, start, start};
#pragma unroll
  for (int dx = 0; dx < size; ++dx) {
#pragma unroll
    for (int r = 0; r < size + 3; ++r) {
      int pixel = pixels[(y + r) * columns + x + dx];
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        if (r - k >= 0 && r - k < size) {
          sum[k] += weights[(r - k) * size + dx] * pixel;
        }
      }
    }
  }
  for (int k = 0; k < 4; ++k) {
    if (x0 + x < width && y0 + y + k < height) {
      to[(size_t)(y0 + y + k) * pitch + x0 + x] = (unsigned char)min(max(sum[k] >> shift, 0), 255);
    }
  }
}

void filter_image(const unsigned char* from, unsigned char* to, const short* taps, int width, int height, int pitch,
                  int radius, int shift) {
  if (width == 0 || height == 0) return;
  int tiles_x = width / 64 + (width % 64 != 0), tiles_y = height / 16 + (height % 16 != 0);
  unsigned blocks = (unsigned)((size_t)tiles_x * tiles_y);
  size_t bytes = (size_t)(2 * radius + 1) * (2 * radius + 1) * 4 + (size_t)(64 + 2 * radius) * (16 + 2 * radius);
  if (radius == 1) {
    filter_tile<1><<<blocks, 256, bytes>>>(from, to, taps, width, height, pitch, radius, shift, tiles_x);
  } else if (radius == 2) {
    filter_tile<2><<<blocks, 256, bytes>>>(from, to, taps, width, height, pitch, radius, shift, tiles_x);
  } else if (radius == 3) {
    filter_tile<3><<<blocks, 256, bytes>>>(from, to, taps, width, height, pitch, radius, shift, tiles_x);
  } else {
    filter_tile<-1><<<blocks, 256, bytes>>>(from, to, taps, width, height, pitch, radius, shift, tiles_x);
  }
}
