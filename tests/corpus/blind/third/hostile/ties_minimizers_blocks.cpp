// kernel: minimizers
// verdict: verify
// standard: c++20
// tries: blocks of w with the minima of each block's tails and of the next block's heads, the smaller of both; on a tie it takes the head's, which is further right: wrong where the smallest hash of a window occurs on both sides of a multiple of w
#include <cstdint>
#include <vector>

int minimizers(const std::vector<uint32_t>& hash, int w, std::vector<int>& pos) {
  const int n = static_cast<int>(hash.size());
  if (w < 1 || w > n) return 0;
  const uint32_t* h = hash.data();
  int* out = pos.data();
  const int windows = n - w + 1;
  int different = 0, last = -1;
  std::vector<int> tail(w);
  for (int begin = 0; begin < windows; begin += w) {
    // begin + w <= n, since begin is a window's start
    int at = begin + w - 1;
    uint32_t least = h[at];
    for (int j = w - 1; j >= 0; --j) {
      const bool better = h[begin + j] <= least;
      least = better ? h[begin + j] : least;
      at = better ? begin + j : at;
      tail[j] = at;
    }
    const int end = windows - begin < w ? windows - begin : w;
    out[begin] = tail[0];
    different += tail[0] != last;
    last = tail[0];
    int head = begin + w;  // read only if there is a second window
    for (int j = 1; j < end; ++j) {
      const int fresh = begin + w + j - 1;
      head = h[fresh] < h[head] ? fresh : head;
      const int best = h[tail[j]] < h[head] ? tail[j] : head;
      out[begin + j] = best;
      different += best != last;
      last = best;
    }
  }
  return different;
}
