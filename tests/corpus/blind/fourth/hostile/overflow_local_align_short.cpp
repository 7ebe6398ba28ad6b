// kernel: local_align
// verdict: wrong
// standard: c++20
// tries: antidiagonals, 16 cells of 16 bits at a time
#include <immintrin.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

int local_align(std::span<const uint8_t> a, std::span<const uint8_t> b, const Scoring& s) {
  if (a.size() > b.size()) std::swap(a, b);  // the recurrence is symmetric
  const size_t n = a.size(), m = b.size();
  if (n == 0) return 0;
  const int rows = static_cast<int>(n), columns = static_cast<int>(m);
  constexpr int pad = 32;
  std::vector<int16_t> as(n + pad, -1);  // as[i] is a[i - 1]
  for (size_t i = 0; i < n; ++i) as[i + 1] = a[i];
  std::vector<int16_t> bs(m + n + 2 * pad, -2);  // reversed: bs[m - j] is b[j - 1]
  for (size_t j = 0; j < m; ++j) bs[m - 1 - j] = b[j];
  // Entry i of an array is row i of the diagonal; row 0 is the border.
  const size_t length = n + pad;
  std::vector<int16_t> even(length, 0), odd(length, 0), down(length, -30000), right(length, -30000);
  const __m256i match = _mm256_set1_epi16(static_cast<int16_t>(s.match));
  const __m256i mismatch = _mm256_set1_epi16(static_cast<int16_t>(s.mismatch));
  const __m256i open = _mm256_set1_epi16(static_cast<int16_t>(s.gap_open));
  const __m256i extend = _mm256_set1_epi16(static_cast<int16_t>(s.gap_extend));
  const auto load = [](const int16_t* p) { return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(p)); };
  const auto store = [](int16_t* p, __m256i v) { _mm256_storeu_si256(reinterpret_cast<__m256i*>(p), v); };
  __m256i best = _mm256_setzero_si256();
  for (int d = 2; d <= rows + columns; ++d) {
    int16_t* const now = d & 1 ? odd.data() : even.data();  // holds diagonal d - 2
    const int16_t* const last = d & 1 ? even.data() : odd.data();
    const int from = std::max(1, d - columns), to = std::min(rows, d - 1);
    const int shift = columns - d;
    // Downwards, because entry i needs what stands at i - 1.
    for (int i = from + (to - from) / 16 * 16; i >= from; i -= 16) {
      const __m256i v = _mm256_max_epi16(_mm256_subs_epi16(load(last + i - 1), open),
                                         _mm256_subs_epi16(load(down.data() + i - 1), extend));
      const __m256i g = _mm256_max_epi16(_mm256_subs_epi16(load(last + i), open),
                                         _mm256_subs_epi16(load(right.data() + i), extend));
      const __m256i same = _mm256_cmpeq_epi16(load(as.data() + i), load(bs.data() + (shift + i)));
      __m256i h = _mm256_adds_epi16(load(now + i - 1), _mm256_blendv_epi8(mismatch, match, same));
      h = _mm256_max_epi16(_mm256_max_epi16(h, _mm256_setzero_si256()), _mm256_max_epi16(v, g));
      store(down.data() + i, v);
      store(right.data() + i, g);
      store(now + i, h);
      best = _mm256_max_epi16(best, h);
    }
    if (d <= rows) {  // the border cell (d, 0)
      now[d] = 0;
      right[d] = -30000;
    }
  }
  int16_t lanes[16];
  store(lanes, best);
  return *std::max_element(lanes, lanes + 16);
}
