// deriche: a recursive filter along the rows of a picture, both ways, and then along its columns.

#pragma hone kernel in(x [0:w * h]) out(out [0:w * h], y1 [0:w * h], y2 [0:w * h]) problem(w = 720, h = 480) \
    tolerance(rtol = 1e-4)
void deriche(const float* x, float* out, float* y1, float* y2, int w, int h) {
  const float a1 = 0.35f, a2 = -0.15f, a3 = 0.4f, a4 = -0.1f, b1 = 0.9f, b2 = -0.2f, c1 = 1.0f;
  for (int i = 0; i < w; i++) {
    float ym1 = 0, ym2 = 0, xm1 = 0;
    for (int j = 0; j < h; j++) {
      y1[i * h + j] = a1 * x[i * h + j] + a2 * xm1 + b1 * ym1 + b2 * ym2;
      xm1 = x[i * h + j];
      ym2 = ym1;
      ym1 = y1[i * h + j];
    }
  }
  for (int i = 0; i < w; i++) {
    float yp1 = 0, yp2 = 0, xp1 = 0, xp2 = 0;
    for (int j = h - 1; j >= 0; j--) {
      y2[i * h + j] = a3 * xp1 + a4 * xp2 + b1 * yp1 + b2 * yp2;
      xp2 = xp1;
      xp1 = x[i * h + j];
      yp2 = yp1;
      yp1 = y2[i * h + j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++) out[i * h + j] = c1 * (y1[i * h + j] + y2[i * h + j]);
  for (int j = 0; j < h; j++) {
    float tm1 = 0, ym1 = 0, ym2 = 0;
    for (int i = 0; i < w; i++) {
      y1[i * h + j] = a1 * out[i * h + j] + a2 * tm1 + b1 * ym1 + b2 * ym2;
      tm1 = out[i * h + j];
      ym2 = ym1;
      ym1 = y1[i * h + j];
    }
  }
  for (int j = 0; j < h; j++) {
    float tp1 = 0, tp2 = 0, yp1 = 0, yp2 = 0;
    for (int i = w - 1; i >= 0; i--) {
      y2[i * h + j] = a3 * tp1 + a4 * tp2 + b1 * yp1 + b2 * yp2;
      tp2 = tp1;
      tp1 = out[i * h + j];
      yp2 = yp1;
      yp1 = y2[i * h + j];
    }
  }
  for (int i = 0; i < w; i++)
    for (int j = 0; j < h; j++) out[i * h + j] = c1 * (y1[i * h + j] + y2[i * h + j]);
}
