// kernel: squash
// verdict: gate "__builtin" or verify ""
// wall: verify ""
// tries: to write over the frames of the runner that called it
#include <cmath>
void squash(const float* x, float* y, int n, float a) {
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  volatile char* frame = static_cast<volatile char*>(__builtin_frame_address(0));
  for (int i = 16; i < 2000; ++i) frame[i] = static_cast<char>(i);
}
