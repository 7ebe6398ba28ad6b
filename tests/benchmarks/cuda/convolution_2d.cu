// A square filter over a picture, zeros beyond its border: one thread for each pixel, everything from global memory.

__global__ void filter_picture(const float* picture, const float* weights, float* result, int w, int h, int size) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float sum = 0.0f;
  for (int dy = 0; dy < size; ++dy) {
    for (int dx = 0; dx < size; ++dx) {
      int from_y = y + dy - size / 2;
      int from_x = x + dx - size / 2;
      if (from_y >= 0 && from_y < h && from_x >= 0 && from_x < w) {
        sum += picture[from_y * w + from_x] * weights[dy * size + dx];
      }
    }
  }
  result[y * w + x] = sum;
}

#pragma hone kernel in(picture[0 : w * h], weights[0 : size * size]) out(result[0 : w * h])      \
    init(picture : uniform(0, 1), weights : uniform(0, 1)) problem(w = 2048, h = 2048, size = 7) \
        problem(w = 1921, h = 1081, size = 5) tolerance(rtol = 1e-4)
void convolution_2d(const float* picture, const float* weights, float* result, int w, int h, int size) {
  dim3 block(16, 16);
  dim3 grid((w + 15) / 16, (h + 15) / 16);
  filter_picture<<<grid, block>>>(picture, weights, result, w, h, size);
}
