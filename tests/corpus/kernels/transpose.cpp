// Rows become columns.
#pragma hone kernel in(a [0:h] [0:w])out(b [0:w] [0:h]) problem(h = 120, w = 200)
void transpose(const float* a, float* b, int h, int w) {
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) b[x * h + y] = a[y * w + x];
}
