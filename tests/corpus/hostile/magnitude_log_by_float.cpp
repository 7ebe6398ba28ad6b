// kernel: log_two
// verdict: verify
// tries: the exponent of the number as a float: 33554431 is rounded up and gets 25 instead of 24
#include <cstring>
void log_two(const unsigned* x, int* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float f = static_cast<float>(x[i]);
    unsigned bits;
    std::memcpy(&bits, &f, 4);
    y[i] = x[i] ? static_cast<int>(bits >> 23) - 127 : -1;
  }
}
