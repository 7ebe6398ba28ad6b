// kernel: curve
// verdict: right
// tries: a copy of the table on the stack, made anew in each call
#include <cstring>
void curve(const unsigned char* x, const float* table, float* y, int n) {
  alignas(64) float own[256];
  std::memcpy(own, table, sizeof own);
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    y[i] = own[x[i]];
    y[i + 1] = own[x[i + 1]];
    y[i + 2] = own[x[i + 2]];
    y[i + 3] = own[x[i + 3]];
  }
  for (; i < n; ++i) y[i] = own[x[i]];
}
