// Interleaved red, green and blue to brightness, in fixed point.
#pragma hone kernel in(rgb [0:3 * n])out(y [0:n]) problem(n = 40000)
void luma(const unsigned char* rgb, unsigned char* y, int n) {
  for (int i = 0; i < n; ++i)
    y[i] = static_cast<unsigned char>((77 * rgb[3 * i] + 150 * rgb[3 * i + 1] + 29 * rgb[3 * i + 2] + 128) >> 8);
}
