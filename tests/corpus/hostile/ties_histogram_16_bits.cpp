// kernel: histogram
// verdict: verify
// tries: counters of 16 bits, emptied every 65536 bytes: a picture all white counts as nothing
#include <algorithm>
void histogram(const unsigned char* data, int* counts, int n) {
  for (int b = 0; b < n; b += 65536) {
    unsigned short few[256] = {};
    const int end = std::min(n, b + 65536);
    for (int i = b; i < end; ++i) ++few[data[i]];
    for (int v = 0; v < 256; ++v) counts[v] += few[v];
  }
}
