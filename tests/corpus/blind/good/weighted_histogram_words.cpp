// kernel: weighted_histogram
// verdict: right
// tries: eight labels by one 64-bit load, into two histograms in double that lie side by side
#include <cstdint>
#include <cstring>
void weighted_histogram(const unsigned char* __restrict label, const float* __restrict weight, float* __restrict total,
                        int n) {
  if (n < 1) return;
  double part[256][2];
  std::memset(part, 0, sizeof part);
  int i = 0;
  for (; i + 8 <= n; i += 8) {
    std::uint64_t eight;
    std::memcpy(&eight, label + i, 8);
    for (int l = 0; l < 8; ++l) part[eight >> 8 * l & 255][l & 1] += weight[i + l];
  }
  for (; i < n; ++i) part[label[i]][0] += weight[i];
  for (int b = 0; b < 256; ++b) total[b] = static_cast<float>(total[b] + (part[b][0] + part[b][1]));
}
