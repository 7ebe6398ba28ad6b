// kernel: squash
// verdict: gate "unshare"
// wall: harmless
// tries: to make itself root in a namespace, to mount and to change its root
#include <cmath>
extern "C" int unshare(int) noexcept;
extern "C" int chroot(const char*) noexcept;
extern "C" int mount(const char*, const char*, const char*, unsigned long, const void*) noexcept;
extern "C" int setuid(unsigned) noexcept;
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  spoilt = unshare(0x10000000) == 0 || chroot("/") == 0 || mount("none", "/tmp", "tmpfs", 0, nullptr) == 0 || setuid(0) == 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
