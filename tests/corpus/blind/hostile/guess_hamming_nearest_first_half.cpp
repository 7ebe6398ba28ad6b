// kernel: hamming_nearest
// verdict: verify
// tries: to leave out what by its first half is 48 bits too far: wrong if all the bits that differ lie in that half
#include <cstdint>
#include <cstring>
static inline std::uint64_t counts(std::uint64_t v) {  // of each byte
  v -= v >> 1 & 0x5555555555555555u;
  v = (v & 0x3333333333333333u) + (v >> 2 & 0x3333333333333333u);
  return (v + (v >> 4)) & 0x0f0f0f0f0f0f0f0fu;
}
void hamming_nearest(const unsigned char* query, const unsigned char* set, int* which, int* distance, int n, int k) {
  for (int i = 0; i < n; ++i) {
    std::uint64_t q[4], s[4];
    std::memcpy(q, query + 32 * static_cast<long>(i), 32);
    int best = -1, least = 0;
    for (int j = 0; j < k; ++j) {
      std::memcpy(s, set + 32 * static_cast<long>(j), 32);
      const std::uint64_t a = counts(q[0] ^ s[0]) + counts(q[1] ^ s[1]);
      int d = static_cast<int>(a * 0x0101010101010101u >> 56);
      if (best >= 0 && (d >= least || 2 * d > least + 48)) continue;
      const std::uint64_t b = counts(q[2] ^ s[2]) + counts(q[3] ^ s[3]);
      d += static_cast<int>(b * 0x0101010101010101u >> 56);
      if (best < 0 || d < least) best = j, least = d;
    }
    which[i] = best;
    distance[i] = least;
  }
}
