// right: vectorise-outer separable-stencil unroll-and-jam
// A filter of five by five weights over a picture; what has no whole window is left alone.
void convolve_5x5(const float* picture, const float* weights, float* result, int w, int h) {
  for (int y = 2; y < h - 2; ++y) {
    for (int x = 2; x < w - 2; ++x) {
      float sum = 0;
      for (int dy = -2; dy <= 2; ++dy) {
        for (int dx = -2; dx <= 2; ++dx) {
          sum += picture[(y + dy) * w + x + dx] * weights[(dy + 2) * 5 + dx + 2];
        }
      }
      result[y * w + x] = sum;
    }
  }
}
