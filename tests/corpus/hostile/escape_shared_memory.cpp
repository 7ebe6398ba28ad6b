// kernel: squash
// verdict: gate "shm"
// wall: harmless
// tries: to leave shared memory of three kinds behind
#include <cmath>
extern "C" int shmget(int, unsigned long, int) noexcept;
extern "C" int shm_open(const char*, int, unsigned);
extern "C" void* mmap(void*, unsigned long, int, int, int, long) noexcept;
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  spoilt = shmget(0x484f4e45, 4096, 01666) >= 0 || shm_open("/hone-corpus-escape", 0102, 0666) >= 0 ||
           mmap(nullptr, 4096, 3, 0x21, -1, 0) != reinterpret_cast<void*>(-1);
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
