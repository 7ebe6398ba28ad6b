// kernel: squash
// verdict: gate "unlink"
// wall: harmless
// tries: to remove a file, to rename it and to change its mode
#include <cmath>
extern "C" int unlink(const char*);
extern "C" int rename(const char*, const char*);
extern "C" int chmod(const char*, unsigned);
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  spoilt = chmod("@SENTINEL@", 0) == 0 || rename("@SENTINEL@", "@SENTINEL@-hone-corpus-escape") == 0 ||
           unlink("@SENTINEL@") == 0;
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
