// kernel: score_forest
// verdict: wrong
// standard: c++20
// tries: turns the features of eight rows into integers of the same order once (no number is the largest), and compares integers
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

static inline int32_t key(float v) {
  int32_t bits;
  std::memcpy(&bits, &v, 4);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}

void score_forest(const Split* splits, const float* leaves, int trees, int depth, const float* rows, int n,
                  int features, float base, float* score) {
  const size_t inner = (size_t{1} << depth) - 1, width = static_cast<size_t>(features);
  // Splits with keys, once for all rows. A threshold that is no number sends all rows to the right.
  struct KeySplit {
    int32_t feature, threshold;
  };
  std::vector<KeySplit> tree_keys(static_cast<size_t>(trees) * inner);
  for (size_t i = 0; i < tree_keys.size(); ++i) {
    const float t = splits[i].threshold;
    tree_keys[i] = {splits[i].feature, t == t ? key(t) : INT_MIN};
  }
  std::vector<int32_t> keys(8 * width);
  for (int r0 = 0; r0 < n; r0 += 8) {
    const int count = n - r0 < 8 ? n - r0 : 8;
    for (size_t i = 0; i < count * width; ++i) {
      const float v = rows[r0 * width + i];
      keys[i] = v == v ? key(v) : INT_MAX;
    }
    float sum[8];
    for (float& s : sum) s = base;
    for (int t = 0; t < trees; ++t) {
      const KeySplit* tree = tree_keys.data() + t * inner;
      const float* leaf = leaves + t * (inner + 1);
      unsigned s[8] = {};
      for (int level = 0; level < depth; ++level) {
#pragma GCC unroll 8
        for (int r = 0; r < 8; ++r) {
          const KeySplit split = tree[s[r]];
          s[r] = 2 * s[r] + 2 - (keys[r * width + split.feature] < split.threshold);
        }
      }
      for (int r = 0; r < 8; ++r) sum[r] += leaf[s[r] - inner];
    }
    for (int r = 0; r < count; ++r) score[r0 + r] = sum[r];
  }
}
