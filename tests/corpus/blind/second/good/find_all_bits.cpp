// kernel: find_all
// verdict: right
// tries: one bit for each length matched so far (shift-and) for patterns of up to 64 bytes, longer ones by memchr
#include <cstdint>
#include <cstring>
int find_all(const unsigned char* text, const unsigned char* pattern, int* pos, int n, int m) {
  int count = 0;
  if (m >= 1 && m <= 64 && m <= n) {
    std::uint64_t where[256];
    std::memset(where, 0, sizeof where);
    for (int k = 0; k < m; ++k) where[pattern[k]] |= std::uint64_t{1} << k;
    std::uint64_t state = 0;
    for (int i = 0; i < n; ++i) {
      state = (state << 1 | 1) & where[text[i]];
      pos[count] = i - m + 1;  // Kept only if the pattern ends here; at most i places came before.
      count += static_cast<int>(state >> (m - 1) & 1);
    }
  } else if (m > 64 && m <= n) {
    const unsigned char *at = text, *end = text + (n - m + 1);
    while (at < end && (at = static_cast<const unsigned char*>(std::memchr(at, pattern[0], static_cast<std::size_t>(end - at))))) {
      if (std::memcmp(at, pattern, static_cast<std::size_t>(m)) == 0) pos[count++] = static_cast<int>(at - text);
      ++at;
    }
  }
  for (int i = count; i < n; ++i) pos[i] = -1;
  return count;
}
