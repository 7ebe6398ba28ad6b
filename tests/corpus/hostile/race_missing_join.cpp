// kernel: rows
// verdict: verify "data race" or "expected"
// tries: to look at the other thread's work by a flag that orders nothing, and to join it too late
#include <cmath>
#include <thread>
static void one_row(const float* a, float* rms, int r, int cols) {
  float sum = 0;
  for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
  rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
}
void row_rms(const float* a, float* rms, int rows, int cols) {
  volatile bool done = false;
  std::thread other([&] {
    for (int r = 0; r < rows / 2; ++r) one_row(a, rms, r, cols);
    done = true;
  });
  for (int r = rows / 2; r < rows; ++r) one_row(a, rms, r, cols);
  while (!done) std::this_thread::yield();
  for (int r = 0; r < rows / 2; ++r) rms[r] = rms[r] < 0 ? 0 : rms[r];
  other.join();
}
