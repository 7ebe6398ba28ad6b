// An image filter that calls a function for each pixel, and that one calls another for each sample.
namespace {

int clamped(int v, int most) {
  if (v < 0) return 0;
  if (v > most) return most;
  return v;
}

unsigned char sharpened(const unsigned char* image, int x, int y, int w, int h) {
  int sum = 0;
  for (int dy = -1; dy <= 1; ++dy) {
    for (int dx = -1; dx <= 1; ++dx) {
      const int weight = dx == 0 && dy == 0 ? 9 : -1;
      sum += weight * image[clamped(y + dy, h - 1) * w + clamped(x + dx, w - 1)];
    }
  }
  return static_cast<unsigned char>(clamped(sum, 255));
}

}  // namespace

#pragma hone kernel in(image[0 : w * h]) out(result[0 : w * h]) problem(w = 640, h = 480) problem(w = 333, h = 217)
void sharpen(const unsigned char* image, unsigned char* result, int w, int h) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) result[y * w + x] = sharpened(image, x, y, w, h);
}
