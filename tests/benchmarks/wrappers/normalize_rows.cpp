// A loop over the rows of a matrix that calls a function for each.
#include <cmath>
#include <cstddef>

static void normalize_row(const float* row, float* result, std::size_t n, float epsilon) {
  float sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += row[i];
  const float mean = sum / static_cast<float>(n);
  float squares = 0;
  for (std::size_t i = 0; i < n; ++i) squares += (row[i] - mean) * (row[i] - mean);
  const float deviation = std::sqrt(squares / static_cast<float>(n) + epsilon);
  for (std::size_t i = 0; i < n; ++i) result[i] = (row[i] - mean) / deviation;
}

#pragma hone kernel in(m[0 : rows * columns]) out(result[0 : rows * columns]) tolerance(rtol = 1e-3, atol = 1e-4) \
    requires(columns > 1) problem(rows = 256, columns = 768) problem(rows = 100, columns = 333)
void normalize_rows(const float* m, float* result, std::size_t rows, std::size_t columns) {
  for (std::size_t r = 0; r < rows; ++r) normalize_row(m + r * columns, result + r * columns, columns, 1e-5f);
}
