// kernel: ema
// verdict: verify
// tries: the whole array on the stack: of two million elements it ends the program
#include <cstring>
void ema(float* x, int n, float keep) {
  if (n < 1) return;
  float* room = static_cast<float*>(__builtin_alloca(sizeof(float) * n));
  float state = 0;
  for (int i = 0; i < n; ++i) room[i] = state = keep * state + (1.0f - keep) * x[i];
  std::memcpy(x, room, sizeof(float) * n);
}
