// kernel: relax
// verdict: verify
// tries: an approximate reciprocal and a step of Newton's: where the square is infinite the original gives 0, this no number
#include <xmmintrin.h>
void relax(const float* from, float* to, int n, float w) {
  for (int i = 0; i < n; ++i) {
    const float v = from[i], d = w + v * v;
    float r = _mm_cvtss_f32(_mm_rcp_ss(_mm_set_ss(d)));
    r *= 2.0f - d * r;
    r *= 2.0f - d * r;
    to[i] = v * r;
  }
}
