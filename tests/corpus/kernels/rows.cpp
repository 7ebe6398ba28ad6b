// May use two threads: each row's root mean square.
#include <cmath>

#pragma hone kernel in(a[0:rows][0:cols]) out(rms[0:rows]) problem(rows = 150, cols = 800) threads(2)
void row_rms(const float* a, float* rms, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
    rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
  }
}
