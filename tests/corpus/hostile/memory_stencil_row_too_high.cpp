// kernel: blur
// verdict: verify "of src"
// tries: to read the row in front of the first, as a blur that forgets the border does
namespace { float at(const float* src, int w, int x, int y) { return src[y * w + (x < 0 ? 0 : x >= w ? w - 1 : x)]; } }
void blur(const float* src, float* dst, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) {
      float sum = 0;
      for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx) sum += at(src, w, x + dx, y + dy < h ? y + dy : h - 1);
      dst[y * w + x] = sum / 9.0f;
    }
}
