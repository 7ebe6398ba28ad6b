// HeCBench's boxfilter: each pixel of a picture with four bytes a pixel becomes the rounded mean of the square around
// it; the border's pixels are repeated beyond it. One thread for each pixel walks over its whole square.

__global__ void mean_of_squares(const unsigned char* picture, unsigned char* result, int w, int h, int radius) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned sums[4] = {0, 0, 0, 0};
  for (int dy = -radius; dy <= radius; ++dy) {
    for (int dx = -radius; dx <= radius; ++dx) {
      int from_y = min(max(y + dy, 0), h - 1);
      int from_x = min(max(x + dx, 0), w - 1);
      for (int channel = 0; channel < 4; ++channel) {
        sums[channel] += picture[(from_y * w + from_x) * 4 + channel];
      }
    }
  }
  unsigned count = (2 * radius + 1) * (2 * radius + 1);
  for (int channel = 0; channel < 4; ++channel) {
    result[(y * w + x) * 4 + channel] = (sums[channel] + count / 2) / count;
  }
}

#pragma hone kernel in(picture[0 : w * h * 4]) out(result[0 : w * h * 4]) problem(w = 1024, h = 1024, radius = 10) \
    problem(w = 641, h = 479, radius = 3) requires(radius >= 0)
void boxfilter(const unsigned char* picture, unsigned char* result, int w, int h, int radius) {
  dim3 block(16, 16);
  dim3 grid((w + 15) / 16, (h + 15) / 16);
  mean_of_squares<<<grid, block>>>(picture, result, w, h, radius);
}
