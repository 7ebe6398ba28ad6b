// One step of the five-point heat equation, row by row; the border keeps its values.

#pragma hone kernel in(u[0 : w * h]) inout(v[0 : w * h]) init(u : uniform(0, 1), v : uniform(0, 1)) \
    problem(w = 2048, h = 2048, alpha = 0.1f) problem(w = 2001, h = 1333, alpha = 0.2f) tolerance(rtol = 1e-5)
void stencil(const float* u, float* v, int w, int h, float alpha) {
  for (int y = 1; y < h - 1; ++y) {
    for (int x = 1; x < w - 1; ++x) {
      v[y * w + x] = u[y * w + x] + alpha * (u[(y - 1) * w + x] + u[(y + 1) * w + x] + u[y * w + x - 1] +
                                             u[y * w + x + 1] - 4.0f * u[y * w + x]);
    }
  }
}
