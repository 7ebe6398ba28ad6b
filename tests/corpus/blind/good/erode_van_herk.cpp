// kernel: erode
// standard: c++17
// verdict: right
// tries: separable with van Herk's minima of block ends and starts, the same cost for every radius
#include <algorithm>
#include <vector>
void erode(const unsigned char* src, unsigned char* dst, int h, int w, int r) {
  if (h < 1 || w < 1) return;
  std::vector<unsigned char> middle(static_cast<std::size_t>(h) * w), padded, ahead, behind;
  {
    const int radius = std::clamp(r, 0, w - 1), window = 2 * radius + 1, length = w + 2 * radius;
    padded.assign(length, 255), ahead.resize(length), behind.resize(length);
    for (int y = 0; y < h; ++y) {
      std::copy_n(src + y * w, w, padded.begin() + radius);
      for (int i = 0, in = 0; i < length; ++i, in = in + 1 == window ? 0 : in + 1)
        ahead[i] = in == 0 ? padded[i] : std::min(ahead[i - 1], padded[i]);
      for (int i = length - 1, in = i % window; i >= 0; --i, in = in == 0 ? window - 1 : in - 1)
        behind[i] = in == window - 1 || i == length - 1 ? padded[i] : std::min(behind[i + 1], padded[i]);
      for (int x = 0; x < w; ++x) middle[y * w + x] = std::min(behind[x], ahead[x + window - 1]);
    }
  }
  const int radius = std::clamp(r, 0, h - 1), window = 2 * radius + 1, length = h + 2 * radius;
  padded.assign(static_cast<std::size_t>(length) * w, 255);
  std::copy(middle.begin(), middle.end(), padded.begin() + static_cast<std::ptrdiff_t>(radius) * w);
  ahead = padded, behind = padded;
  for (int i = 1; i < length; ++i)
    if (i % window != 0)
      for (int x = 0; x < w; ++x) ahead[i * w + x] = std::min(ahead[i * w + x], ahead[(i - 1) * w + x]);
  for (int i = length - 2; i >= 0; --i)
    if (i % window != window - 1)
      for (int x = 0; x < w; ++x) behind[i * w + x] = std::min(behind[i * w + x], behind[(i + 1) * w + x]);
  for (int y = 0; y < h; ++y)
    for (int x = 0; x < w; ++x) dst[y * w + x] = std::min(behind[y * w + x], ahead[(y + window - 1) * w + x]);
}
