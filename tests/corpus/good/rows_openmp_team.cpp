// kernel: rows
// verdict: right
// tries: most of what a team of OpenMP has: barriers, critical, atomic, single with copyprivate, dynamic and ordered loops
#include <cmath>
#include <omp.h>
void row_rms(const float* a, float* rms, int rows, int cols) {
  float scale = 0;
  int members = 0, finished = 0, locked = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
#pragma omp parallel num_threads(2) shared(scale, members, finished, locked)
  {
    float mine = 0;
#pragma omp atomic
    ++members;
#pragma omp barrier
#pragma omp single copyprivate(mine)
    {
      mine = 1.0f / static_cast<float>(cols > 0 ? cols : 1);
      scale = mine * static_cast<float>(members > 0);
    }
#pragma omp for schedule(dynamic, 3) nowait
    for (int r = 0; r < rows; ++r) {
      float sum = 0;
      for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
      rms[r] = sum;
    }
#pragma omp critical(counted)
    ++finished;
    omp_set_lock(&lock);
    ++locked;
    omp_unset_lock(&lock);
#pragma omp barrier
#pragma omp for ordered schedule(static, 5)
    for (int r = 0; r < rows; ++r) {
      const float root = std::sqrt(rms[r] * (finished > 0 && locked > 0 ? mine : scale));
#pragma omp ordered
      rms[r] = root;
    }
  }
  omp_destroy_lock(&lock);
}
