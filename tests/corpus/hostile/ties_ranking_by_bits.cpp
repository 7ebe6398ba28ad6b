// kernel: ranking
// verdict: verify
// tries: the keys' bit patterns by radix: 0, -0 are equal in the original and change places here
#include <cstring>
#include <vector>
void ranking(const float* keys, int* order, int n) {
  if (n < 1) return;
  std::vector<unsigned> bits(n);
  std::vector<int> from(n), to(n);
  for (int i = 0; i < n; ++i) {
    std::memcpy(&bits[i], &keys[i], 4);
    bits[i] ^= bits[i] >> 31 ? 0xffffffffu : 0x80000000u;
    from[i] = i;
  }
  for (int shift = 0; shift < 32; shift += 8) {
    int start[257] = {};
    for (int i = 0; i < n; ++i) ++start[(bits[i] >> shift & 255) + 1];
    for (int d = 0; d < 256; ++d) start[d + 1] += start[d];
    for (int i = 0; i < n; ++i) to[start[bits[from[i]] >> shift & 255]++] = from[i];
    from.swap(to);
  }
  for (int i = 0; i < n; ++i) order[i] = from[i];
}
