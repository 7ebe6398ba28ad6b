// kernel: restarting_max
// verdict: right
// tries: four at once by a scan in SSE2 where nothing restarts and all are numbers; one by one elsewhere
#include <emmintrin.h>
#include <cmath>
#include <cstdint>
#include <cstring>
void restarting_max(const float* x, const unsigned char* keep, float* state, float* y, int n) {
  float most = state[0];
  int i = 0;
  // Four values are read before the first of them is written. That matters only if y begins one to three behind x.
  const std::uintptr_t ahead = reinterpret_cast<std::uintptr_t>(y) - reinterpret_cast<std::uintptr_t>(x);
  if (ahead == 0 || ahead >= 16) {
    const __m128 lowest = _mm_set1_ps(-INFINITY);
    for (; i + 4 <= n; i += 4) {
      std::uint32_t four;
      std::memcpy(&four, keep + i, 4);
      const __m128 v = _mm_loadu_ps(x + i);
      const bool restart = ((four - 0x01010101u) & ~four & 0x80808080u) != 0;
      if (restart || _mm_movemask_ps(_mm_cmpunord_ps(v, v))) {
        for (int l = i; l < i + 4; ++l) {
          if (keep[l] == 0 || x[l] > most) most = x[l];
          y[l] = most;
        }
        continue;
      }
      // maxps(new, old) is old unless new > old.
      __m128 s = _mm_max_ps(v, _mm_move_ss(_mm_shuffle_ps(v, v, _MM_SHUFFLE(2, 1, 0, 0)), lowest));
      s = _mm_max_ps(s, _mm_movelh_ps(lowest, s));
      s = _mm_max_ps(s, _mm_set1_ps(most));
      _mm_storeu_ps(y + i, s);
      most = _mm_cvtss_f32(_mm_shuffle_ps(s, s, _MM_SHUFFLE(3, 3, 3, 3)));
    }
  }
  for (; i < n; ++i) {
    if (keep[i] == 0 || x[i] > most) most = x[i];
    y[i] = most;
  }
  state[0] = most;
}
