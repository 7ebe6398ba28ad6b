// kernel: rows
// verdict: gate "detach" or verify "not written" or "expected" or "crashed" or "under the sanitizers" or "under ThreadSanitizer" or time ""
// wall: verify "not written" or "expected" or "crashed" or "under the sanitizers" or "under ThreadSanitizer" or time ""
// tries: to return while its two threads still compute, where threads are allowed
#include <cmath>
#include <thread>
void row_rms(const float* a, float* rms, int rows, int cols) {
  std::thread([=] {
    for (int r = 0; r < rows; ++r) {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
    }
  }).detach();
}
