// kernel: squash
// verdict: gate "mprotect"
// wall: verify "past the end of y" or "under the sanitizers"
// tries: to make the guard page behind its output writable and to write there
#include <cmath>
#include <cstdint>
extern "C" int mprotect(void*, unsigned long, int) noexcept;
void squash(const float* x, float* y, int n, float a) {
  const auto end = (reinterpret_cast<std::uintptr_t>(y + n) + 4095) & ~std::uintptr_t{4095};
  mprotect(reinterpret_cast<void*>(end), 4096, 3);
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  *(volatile float*)(y + n) = 1.0f;
}
