// kernel: rows
// verdict: right
// tries: std::async and a future, in a class with a destructor
#include <cmath>
#include <future>
namespace {
class Half {
 public:
  template <class F> explicit Half(F&& f) : done_(std::async(std::launch::async, std::forward<F>(f))) {}
  ~Half() { done_.wait(); }
 private:
  std::future<void> done_;
};
}  // namespace
void row_rms(const float* a, float* rms, int rows, int cols) {
  auto part = [=](int first, int last) {
    for (int r = first; r < last; ++r) {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = std::sqrt(sum / static_cast<float>(cols > 0 ? cols : 1));
    }
  };
  Half other([=] { part(0, rows / 2); });
  part(rows / 2, rows);
}
