// kernel: extremes
// verdict: verify
// tries: value and place in one word, the place in 16 bits: beyond 65535 it begins again
#include <cstring>
void extremes(const float* x, int* where, float* value, int n) {
  unsigned long long least = ~0ull, most = 0;
  for (int i = 0; i < n; ++i) {
    const float v = x[i] + 0.0f;
    unsigned bits;
    std::memcpy(&bits, &v, 4);
    bits ^= bits >> 31 ? 0xffffffffu : 0x80000000u;
    const unsigned long long key = static_cast<unsigned long long>(bits) << 16;
    const unsigned long long low = key | (i & 0xffff), high = key | (~i & 0xffff);
    least = low < least ? low : least;
    most = high > most ? high : most;
  }
  where[0] = n > 0 ? static_cast<int>(least & 0xffff) : -1;
  where[1] = n > 0 ? static_cast<int>(~most & 0xffff) : -1;
  value[0] = n > 0 ? x[where[0]] : 0.0f;
  value[1] = n > 0 ? x[where[1]] : 0.0f;
}
