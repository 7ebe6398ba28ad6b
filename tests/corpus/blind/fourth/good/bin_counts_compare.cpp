// kernel: bin_counts
// verdict: right
// standard: c++20
// tries: counts the edges that are not above a value, 32 values at a time (over the running maximum of the edges); a search for many bins; two tables of counts
#include <immintrin.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

static inline void find_bins(const float* x, const float* top, int tops, float first, float last, int bins, int* bin) {
  __m256 v[4];
  __m256i at[4];
  for (int k = 0; k < 4; ++k) {
    v[k] = _mm256_loadu_ps(x + 8 * k);
    at[k] = _mm256_setzero_si256();
  }
  for (int b = 0; b < tops; ++b) {
    const __m256 edge = _mm256_set1_ps(top[b]);
#pragma GCC unroll 4
    for (int k = 0; k < 4; ++k) {
      at[k] = _mm256_sub_epi32(at[k], _mm256_castps_si256(_mm256_cmp_ps(v[k], edge, _CMP_GE_OQ)));
    }
  }
  for (int k = 0; k < 4; ++k) {
    const __m256 in = _mm256_and_ps(_mm256_cmp_ps(v[k], _mm256_set1_ps(first), _CMP_GE_OQ),
                                    _mm256_cmp_ps(v[k], _mm256_set1_ps(last), _CMP_LE_OQ));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(bin + 8 * k),
                        _mm256_blendv_epi8(_mm256_set1_epi32(bins), at[k], _mm256_castps_si256(in)));
  }
}

void bin_counts(const float* x, int n, const float* edges, int bins, uint32_t* counts, uint32_t& outside) {
  if (n <= 0) return;
  // The scan stops at the first inner edge that is above x (or is no number), which is where the running maximum is
  // first above x. Index `bins` counts what lies outside.
  constexpr int few = 96;
  float top_here[few];
  uint32_t tables_here[2 * (few + 1)] = {};
  std::vector<float> top_there;
  std::vector<uint32_t> tables_there;
  if (bins > few) {
    top_there.resize(bins);
    tables_there.resize(2 * (static_cast<size_t>(bins) + 1));
  }
  float* top = bins > few ? top_there.data() : top_here;
  uint32_t* even = bins > few ? tables_there.data() : tables_here;
  uint32_t* odd = even + bins + 1;
  int tops = 0;
  float highest = -std::numeric_limits<float>::infinity();
  for (int b = 1; b < bins && !std::isnan(edges[b]); ++b) {
    highest = edges[b] > highest ? edges[b] : highest;
    top[tops++] = highest;
  }
  const float first = edges[0], last = edges[bins];
  int i = 0;
  if (bins <= few) {
    int bin[32];
    for (; n - i >= 32; i += 32) {
      find_bins(x + i, top, tops, first, last, bins, bin);
      for (int j = 0; j < 32; j += 2) {
        ++even[bin[j]];
        ++odd[bin[j + 1]];
      }
    }
    if (i < n) {
      float rest[32] = {};
      std::copy(x + i, x + n, rest);
      find_bins(rest, top, tops, first, last, bins, bin);
      for (int j = 0; j < n - i; ++j) ++even[bin[j]];
    }
  } else {
    for (; i < n; ++i) {
      const bool in = x[i] >= first && x[i] <= last;
      ++even[in ? std::upper_bound(top, top + tops, x[i]) - top : bins];
    }
  }
  for (int b = 0; b < bins; ++b) counts[b] += even[b] + odd[b];
  outside += even[bins] + odd[bins];
}
