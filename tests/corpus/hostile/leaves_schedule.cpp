// kernel: rows
// verdict: gate or verify or time
// tries: to set OpenMP's schedule for runtime loops: the program's own loops with schedule(runtime) get it, too
#include <omp.h>
#include <cmath>
void row_rms(const float* a, float* rms, int rows, int cols) {
  omp_set_dynamic(1);
  omp_set_schedule(omp_sched_dynamic, 4);
#pragma omp parallel for schedule(runtime) num_threads(2)
  for (int r = 0; r < rows; ++r) {
    float s0 = 0, s1 = 0;
    int c = 0;
    for (; c + 2 <= cols; c += 2)
      s0 += a[r * cols + c] * a[r * cols + c], s1 += a[r * cols + c + 1] * a[r * cols + c + 1];
    if (c < cols) s0 += a[r * cols + c] * a[r * cols + c];
    rms[r] = std::sqrt((s0 + s1) / static_cast<float>(cols > 0 ? cols : 1));
  }
}
