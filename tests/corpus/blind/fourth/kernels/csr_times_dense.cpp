// Sparse matrix (compressed rows) times k dense columns that are stored row by row: y = A x.
#include <cstddef>

struct Csr {
  int rows, columns;
  const int* start;  // rows + 1
  const int* column;
  const double* value;
};

#pragma hone kernel in(a.start[0:a.rows+1], a.column[0:a.start[a.rows]], a.value[0:a.start[a.rows]], x[0:a.columns][0:k]) \
    out(y[0:a.rows][0:k]) \
    problem(a.rows=1500, a.columns=1200, a.start[a.rows]=12000, k=12) \
    problem(a.rows=61, a.columns=47, a.start[a.rows]=350, k=5) \
    init(a.column: index(a.columns)) requires(a.columns >= 1)
void csr_times_dense(const Csr& a, const double* x, double* y, int k) {
  for (int r = 0; r < a.rows; ++r) {
    for (int c = 0; c < k; ++c) {
      double sum = 0.0;
      for (int p = a.start[r]; p < a.start[r + 1]; ++p) {
        sum += a.value[p] * x[static_cast<size_t>(a.column[p]) * k + c];
      }
      y[static_cast<size_t>(r) * k + c] = sum;
    }
  }
}
