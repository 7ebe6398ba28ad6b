// Mean over a square around each pixel; beyond the border the nearest pixel counts.

static int held(int value, int last) {
  if (value < 0) return 0;
  return value > last ? last : value;
}

#pragma hone kernel in(from[0 : h][0 : w]) out(to[0 : h][0 : w]) init(from : uniform(0, 255)) \
    problem(w = 90, h = 70, radius = 2) problem(w = 41, h = 53, radius = 3)
void box_filter(const float* from, float* to, int w, int h, int radius) {
  const int side = 2 * radius + 1;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      float sum = 0.0f;
      for (int dy = -radius; dy <= radius; ++dy) {
        for (int dx = -radius; dx <= radius; ++dx) {
          sum += from[held(y + dy, h - 1) * w + held(x + dx, w - 1)];
        }
      }
      to[y * w + x] = sum / static_cast<float>(side * side);
    }
  }
}
