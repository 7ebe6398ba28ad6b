// kernel: rows
// standard: c++17
// verdict: verify "data race" or "expected"
// tries: to add to the same sums from two threads
#include <atomic>
#include <cmath>
#include <thread>
void row_rms(const float* a, float* rms, int rows, int cols) {
  for (int r = 0; r < rows; ++r) rms[r] = 0;
  std::atomic<int> ready = 0;
  const auto add = [&](int first, int last) {
    ++ready;
    for (int spins = 0; ready < 2 && spins < 1000000; ++spins) continue;
    for (int r = 0; r < rows; ++r)
      for (int c = first; c < last; ++c) {
        volatile float& sum = rms[r];
        sum = sum + a[r * cols + c] * a[r * cols + c];
      }
  };
  std::thread other(add, 0, cols / 2);
  add(cols / 2, cols);
  other.join();
  for (int r = 0; r < rows; ++r) rms[r] = std::sqrt(rms[r] / static_cast<float>(cols > 0 ? cols : 1));
}
