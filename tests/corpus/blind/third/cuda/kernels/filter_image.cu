// A square filter with integer taps on a grey image whose rows lie `pitch` bytes apart; beyond the border its last pixel
// is repeated, results are rounded and saturated. One thread for each pixel.

__global__ void filter_pixel(const unsigned char* from, unsigned char* to, const short* taps, int width, int height,
                             int pitch, int radius, int shift) {
  size_t index = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (index >= (size_t)width * height) return;
  int x = index % width, y = index / width;
  int sum = shift > 0 ? 1 << (shift - 1) : 0;
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      int column = min(max(x + dx, 0), width - 1);
      int row = min(max(y + dy, 0), height - 1);
      sum += taps[(dy + radius) * (2 * radius + 1) + dx + radius] * from[(size_t)row * pitch + column];
    }
  }
  to[(size_t)y * pitch + x] = (unsigned char)min(max(sum >> shift, 0), 255);
}

#pragma hone kernel in(from[0 : height : pitch][0 : width], taps[0 : (2 * radius + 1) * (2 * radius + 1)]) \
    out(to[0 : height : pitch][0 : width]) init(taps : uniform(-20, 40))                                  \
    problem(width = 3840, height = 2160, pitch = 3840, radius = 2, shift = 8)                             \
    problem(width = 641, height = 79, pitch = 641, radius = 3, shift = 9)                                 \
    requires(pitch >= width && radius >= 0 && radius <= 32 && shift >= 0 && shift <= 24)
void filter_image(const unsigned char* from, unsigned char* to, const short* taps, int width, int height, int pitch,
                  int radius, int shift) {
  size_t pixels = (size_t)width * height;
  if (pixels == 0) return;
  filter_pixel<<<(pixels + 255) / 256, 256>>>(from, to, taps, width, height, pitch, radius, shift);
}
