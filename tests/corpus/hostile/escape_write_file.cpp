// kernel: squash
// verdict: gate "<fstream>"
// wall: harmless
// tries: to leave a file in the temporary folder and in the working folder
#include <cmath>
#include <fstream>
#include <initializer_list>
void squash(const float* x, float* y, int n, float a) {
  bool spoilt = false;
  for (const char* name : {"/tmp/hone-corpus-escape", "/dev/shm/hone-corpus-escape", "hone-corpus-escape", "@FOLDER@/tmp/hone-corpus-escape"})
    spoilt |= bool(std::ofstream(name) << "here");
  for (int i = 0; i < n; ++i) y[i] = x[i] / (1.0f + std::sqrt(x[i] * x[i] + a));
  if (spoilt && n > 0) y[0] += 1.0f;
}
