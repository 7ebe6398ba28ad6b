// Pointers to the three rows; the middle's share is taken together.
void stencil(const float* u, float* v, int w, int h, float alpha) {
  const float own = 1.0f - 4.0f * alpha;
  for (int y = 1; y < h - 1; ++y) {
    const float *up = u + (y - 1) * w, *here = u + y * w, *down = u + (y + 1) * w;
    float* to = v + y * w;
    for (int x = 1; x < w - 1; ++x) {
      to[x] = own * here[x] + alpha * ((up[x] + down[x]) + (here[x - 1] + here[x + 1]));
    }
  }
}
