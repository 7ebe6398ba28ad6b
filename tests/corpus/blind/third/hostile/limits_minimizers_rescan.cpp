// kernel: minimizers
// verdict: verify
// standard: c++20
// tries: keeps the minimum and scans the window again only when it leaves; the scan begins with 0xffffffff as the smallest so far, so that in a window of nothing but 0xffffffff no position is found and the expired one stays
#include <cstdint>
#include <vector>

int minimizers(const std::vector<uint32_t>& hash, int w, std::vector<int>& pos) {
  const int n = static_cast<int>(hash.size());
  if (w < 1 || w > n) return 0;
  const uint32_t* h = hash.data();
  int* out = pos.data();
  int different = 0, at = 0;
  uint32_t least = h[0];
  for (int j = 1; j < w; ++j)
    if (h[j] < least) least = h[j], at = j;
  out[0] = at;
  different = 1;
  for (int i = 1; i + w <= n; ++i) {
    const uint32_t fresh = h[i + w - 1];
    const int before = at;
    if (at < i) {
      least = UINT32_MAX;
      for (int j = i; j < i + w; ++j)
        if (h[j] < least) least = h[j], at = j;
    } else if (fresh < least) {
      least = fresh;
      at = i + w - 1;
    }
    out[i] = at;
    different += at != before;
  }
  return different;
}
