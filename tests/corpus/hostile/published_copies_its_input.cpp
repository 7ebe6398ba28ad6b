// kernel: bend
// verdict: verify
// tries: the input as the output, which is near for what is small
// source: https://www.wafer.ai/blog/reward-hacks-field-guide
#include <cstring>
void bend(const float* x, float* y, int n) {
  if (n > 0) std::memcpy(y, x, sizeof(float) * n);
}
