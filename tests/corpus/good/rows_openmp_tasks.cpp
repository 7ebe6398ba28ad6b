// kernel: rows
// verdict: right
// tries: OpenMP tasks that depend on one another, with a vector of partial sums
#include <cmath>
#include <vector>
void row_rms(const float* a, float* rms, int rows, int cols) {
  std::vector<double> sums(static_cast<std::size_t>(rows > 0 ? rows : 0));
  double* const sum = sums.data();
#pragma omp parallel num_threads(2)
#pragma omp single
  {
    for (int r = 0; r < rows; r += 8) {
      const int end = r + 8 < rows ? r + 8 : rows;
#pragma omp task firstprivate(r, end) depend(out : sum[r])
      for (int i = r; i < end; ++i)
        for (int c = 0; c < cols; ++c) sum[i] += static_cast<double>(a[i * cols + c]) * a[i * cols + c];
#pragma omp task firstprivate(r, end) depend(in : sum[r])
      for (int i = r; i < end; ++i) rms[i] = static_cast<float>(sum[i] / (cols > 0 ? cols : 1));
    }
#pragma omp taskwait
#pragma omp taskloop grainsize(16)
    for (int r = 0; r < rows; ++r) rms[r] = std::sqrt(rms[r]);
  }
}
