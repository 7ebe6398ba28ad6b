// kernel: score_forest
// verdict: right
// standard: c++20
// tries: eight rows walk down a tree together, without branches, so that their loads overlap; left-over rows walk down eight trees together
#include <cstddef>
#include <cstdint>

static inline unsigned child(const Split* tree, unsigned s, const float* row) {
  return 2 * s + 2 - (row[tree[s].feature] < tree[s].threshold);
}

static void score_eight_rows(const Split* splits, const float* leaves, int trees, int depth, const float* rows,
                             size_t features, float base, float* score) {
  const unsigned inner = (1u << depth) - 1;
  float sum[8];
  for (int r = 0; r < 8; ++r) sum[r] = base;
  for (int t = 0; t < trees; ++t) {
    unsigned s[8] = {};
    for (int level = 0; level < depth; ++level) {
#pragma GCC unroll 8
      for (int r = 0; r < 8; ++r) s[r] = child(splits, s[r], rows + r * features);
    }
    for (int r = 0; r < 8; ++r) sum[r] += leaves[s[r] - inner];
    splits += inner;
    leaves += inner + 1;
  }
  for (int r = 0; r < 8; ++r) score[r] = sum[r];
}

static float score_row(const Split* splits, const float* leaves, int trees, int depth, const float* row, float sum) {
  const size_t inner = (size_t{1} << depth) - 1;
  int t = 0;
  for (; trees - t >= 8; t += 8) {
    unsigned s[8] = {};
    for (int level = 0; level < depth; ++level) {
#pragma GCC unroll 8
      for (int k = 0; k < 8; ++k) s[k] = child(splits + k * inner, s[k], row);
    }
    for (int k = 0; k < 8; ++k) sum += leaves[k * (inner + 1) + (s[k] - inner)];
    splits += 8 * inner;
    leaves += 8 * (inner + 1);
  }
  for (; t < trees; ++t) {
    unsigned s = 0;
    for (int level = 0; level < depth; ++level) s = child(splits, s, row);
    sum += leaves[s - inner];
    splits += inner;
    leaves += inner + 1;
  }
  return sum;
}

void score_forest(const Split* splits, const float* leaves, int trees, int depth, const float* rows, int n,
                  int features, float base, float* score) {
  const size_t width = static_cast<size_t>(features);
  int r = 0;
  for (; n - r >= 8; r += 8) {
    score_eight_rows(splits, leaves, trees, depth, rows + r * width, width, base, score + r);
  }
  for (; r < n; ++r) score[r] = score_row(splits, leaves, trees, depth, rows + r * width, base);
}
