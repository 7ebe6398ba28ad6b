// kernel: transpose
// verdict: verify
// tries: four megabytes of stack: in a thread with one it ends the program
void transpose(const float* a, float* b, int h, int w) {
  constexpr int side = 1024;
  volatile float room[side * side];
  for (int y0 = 0; y0 < h; y0 += side)
    for (int x0 = 0; x0 < w; x0 += side) {
      const int y1 = h - y0 < side ? h : y0 + side, x1 = w - x0 < side ? w : x0 + side;
      for (int y = y0; y < y1; ++y)
        for (int x = x0; x < x1; ++x) room[(x - x0) * side + y - y0] = a[y * w + x];
      for (int x = x0; x < x1; ++x)
        for (int y = y0; y < y1; ++y) b[x * h + y] = room[(x - x0) * side + y - y0];
    }
}
