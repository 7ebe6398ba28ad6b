// kernel: log_two
// verdict: right
// tries: the exponent as a double, which holds all 32 bits
#include <cstring>
void log_two(const unsigned* x, int* y, int n) {
  for (int i = 0; i < n; ++i) {
    const double d = x[i];
    unsigned long long bits;
    std::memcpy(&bits, &d, 8);
    y[i] = x[i] ? static_cast<int>(bits >> 52) - 1023 : -1;
  }
}
