// The softmax of each row of a score matrix: rows as std::span, std::ranges::max and transform, std::accumulate.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <span>
#include <vector>

struct ScoreMatrix {
  int rows;
  int cols;
  std::vector<float> scores;

  std::span<const float> row(int r) const {
    return std::span<const float>(scores).subspan(static_cast<std::size_t>(r) * cols, cols);
  }
};

#pragma hone kernel in(matrix.scores[0:matrix.rows*matrix.cols]) out(probabilities[0:matrix.rows*matrix.cols]) problem(matrix.rows=37, matrix.cols=65, sharpness=1.5) requires(matrix.cols > 0) tolerance(rtol=1e-4)
void softmax_rows(const ScoreMatrix& matrix, float sharpness, float* probabilities) {
  for (int r = 0; r < matrix.rows; ++r) {
    const std::span<const float> scores = matrix.row(r);
    const std::span<float> result(probabilities + static_cast<std::size_t>(r) * matrix.cols, scores.size());

    const float largest = std::ranges::max(scores);
    std::ranges::transform(scores, result.begin(),
                           [=](float score) { return std::exp(sharpness * (score - largest)); });
    const float total = std::accumulate(result.begin(), result.end(), 0.0f);
    for (float& p : result) {
      p /= total;
    }
  }
}
