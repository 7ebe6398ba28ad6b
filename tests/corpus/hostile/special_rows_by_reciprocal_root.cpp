// kernel: rows
// verdict: verify
// tries: a root as s times one over the root: of infinity and of zero it makes no number, of 1e-42 something else
#include <xmmintrin.h>
void row_rms(const float* a, float* rms, int rows, int cols) {
  for (int r = 0; r < rows; ++r) {
    float sum = 0;
    for (int c = 0; c < cols; ++c) sum += a[r * cols + c] * a[r * cols + c];
    const float s = sum / static_cast<float>(cols > 0 ? cols : 1);
    float root = _mm_cvtss_f32(_mm_rsqrt_ss(_mm_set_ss(s)));
    for (int k = 0; k < 2; ++k) root *= 1.5f - 0.5f * s * root * root;
    rms[r] = s == 0 ? 0 : s * root;
  }
}
