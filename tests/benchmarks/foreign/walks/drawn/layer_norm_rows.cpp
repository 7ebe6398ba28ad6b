// Layer normalization of each row with scale and shift, by pointer loops with != end for the two moments, and while (k--) over four pointers.
#include <cmath>

#pragma hone kernel in(x[0:rows*cols], gamma[0:cols], beta[0:cols]) out(y[0:rows*cols]) problem(rows=32, cols=192, eps=0.00001) tolerance(rtol=1e-3)
void layer_norm_rows(const float* x, const float* gamma, const float* beta, float* y, int rows, int cols, float eps) {
  for (int r = 0; r < rows; ++r) {
    const float* const end = x + cols;

    float mean = 0.0f;
    for (const float* p = x; p != end; ++p)
      mean += *p;
    mean /= (float)cols;

    float var = 0.0f;
    for (const float* p = x; p != end; ++p) {
      const float d = *p - mean;
      var += d * d;
    }
    const float inv = 1.0f / std::sqrt(var / (float)cols + eps);

    const float* g = gamma;
    const float* b = beta;
    int k = cols;
    while (k--)
      *y++ = (*x++ - mean) * inv * *g++ + *b++;
  }
}
