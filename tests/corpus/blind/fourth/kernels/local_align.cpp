// Best score of a local alignment of two sequences with affine gaps (Smith-Waterman-Gotoh).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

struct Scoring {
  int match, mismatch;         // added for two equal, two different bases
  int gap_open, gap_extend;    // subtracted for the first, for each further base of a gap
};

#pragma hone kernel in(a[0:a.size()], b[0:b.size()]) \
    problem(a.size()=300, b.size()=400) problem(a.size()=37, b.size()=51) \
    init(a: uniform(0, 3), b: uniform(0, 3), s.match: uniform(1, 20), s.mismatch: uniform(-20, 0), \
         s.gap_open: uniform(1, 40), s.gap_extend: uniform(0, 10))
int local_align(std::span<const uint8_t> a, std::span<const uint8_t> b, const Scoring& s) {
  const int far_below = -1000000000;
  const size_t m = b.size();
  std::vector<int> best_row(m + 1, 0);        // score of alignments that end here
  std::vector<int> gap_row(m + 1, far_below); // … that end with a gap in b
  int best = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    int diagonal = 0;
    int gap = far_below;  // … that end with a gap in a
    for (size_t j = 1; j <= m; ++j) {
      gap_row[j] = std::max(best_row[j] - s.gap_open, gap_row[j] - s.gap_extend);
      gap = std::max(best_row[j - 1] - s.gap_open, gap - s.gap_extend);
      int h = diagonal + (a[i] == b[j - 1] ? s.match : s.mismatch);
      h = std::max({h, gap, gap_row[j], 0});
      diagonal = best_row[j];
      best_row[j] = h;
      best = std::max(best, h);
    }
  }
  return best;
}
