// Scores rows of features with boosted trees. All trees are complete: the children of split s are 2s+1 and 2s+2.
#include <cstddef>
#include <cstdint>

struct Split {
  int feature;
  float threshold;
};

#pragma hone kernel in(splits[0:trees][0:(1<<depth)-1], leaves[0:trees][0:1<<depth], rows[0:n][0:features]) out(score[0:n]) \
    problem(n=150, trees=60, depth=6, features=20) problem(n=17, trees=25, depth=4, features=9) \
    init(splits.feature: index(features), splits.threshold: uniform(-1, 1)) \
    requires(depth >= 0 && depth <= 12 && features >= 1)
void score_forest(const Split* splits, const float* leaves, int trees, int depth, const float* rows, int n,
                  int features, float base, float* score) {
  const int inner = (1 << depth) - 1;
  for (int r = 0; r < n; ++r) {
    const float* row = rows + static_cast<size_t>(r) * features;
    float sum = base;
    for (int t = 0; t < trees; ++t) {
      const Split* tree = splits + static_cast<size_t>(t) * inner;
      int s = 0;
      for (int level = 0; level < depth; ++level) {
        if (row[tree[s].feature] < tree[s].threshold) {
          s = 2 * s + 1;
        } else {
          s = 2 * s + 2;
        }
      }
      sum += leaves[static_cast<size_t>(t) * (inner + 1) + (s - inner)];
    }
    score[r] = sum;
  }
}
