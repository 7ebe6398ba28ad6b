// kernel: points_in_polygon
// verdict: verify
// tries: two points at once, none for points outside of the bounding box, to which its lower side does not belong: points exactly as low as the lowest corner can be inside
#include <emmintrin.h>
void points_in_polygon(const float* px, const float* py, const float* vx, const float* vy, unsigned char* inside, int n,
                       int m) {
  if (m <= 0) {
    for (int i = 0; i < n; ++i) inside[i] = 0;
    return;
  }
  float left = vx[0], right = vx[0], low = vy[0], high = vy[0];
  for (int a = 1; a < m; ++a) {
    if (vx[a] < left) left = vx[a];
    if (vx[a] > right) right = vx[a];
    if (vy[a] < low) low = vy[a];
    if (vy[a] > high) high = vy[a];
  }
  const auto outside = [&](int i) { return px[i] < left || px[i] > right || py[i] <= low || py[i] >= high; };
  for (int i = 0; i < n; i += 2) {
    const int j = i + 1 < n ? i + 1 : i;
    const bool out_i = outside(i), out_j = outside(j);
    inside[i] = inside[j] = 0;
    if (out_i && out_j) continue;
    const __m128d x = _mm_set_pd(px[j], px[i]), y = _mm_set_pd(py[j], py[i]);
    __m128d in = _mm_setzero_pd();
    __m128d xb = _mm_set1_pd(vx[m - 1]), yb = _mm_set1_pd(vy[m - 1]), above_b = _mm_cmpgt_pd(yb, y);
    for (int a = 0; a < m; ++a) {
      const __m128d xa = _mm_set1_pd(vx[a]), ya = _mm_set1_pd(vy[a]), above = _mm_cmpgt_pd(ya, y);
      const __m128d crosses = _mm_xor_pd(above, above_b);
      if (_mm_movemask_pd(crosses) != 0) {
        const __m128d t = _mm_div_pd(_mm_sub_pd(y, ya), _mm_sub_pd(yb, ya));
        const __m128d at = _mm_add_pd(xa, _mm_mul_pd(t, _mm_sub_pd(xb, xa)));
        in = _mm_xor_pd(in, _mm_and_pd(crosses, _mm_cmplt_pd(x, at)));
      }
      xb = xa, yb = ya, above_b = above;
    }
    const int bits = _mm_movemask_pd(in);
    inside[i] = (bits & 1) != 0 && !out_i;
    if (j != i) inside[j] = (bits & 2) != 0 && !out_j;
  }
}
