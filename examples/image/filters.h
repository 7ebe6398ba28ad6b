// Three filters as one would first write them. Pictures are gray, row by row, `w` by `h`.
#pragma once

namespace filters {

// Mean of the pixel and its neighbors; at the border, of those that exist.
void blur(const unsigned char* src, unsigned char* dst, int w, int h);

// Sobel's gradient magnitude, 0 at the border.
void gradient(const float* src, float* dst, int w, int h);

// For each place of the `k` by `k` template in the picture, the sum of squared differences.
// `score` is (w-k+1) by (h-k+1).
void match(const float* src, const float* pattern, float* score, int w, int h, int k);

}  // namespace filters
