// kernel: collide
// verdict: right
// standard: c++20
// tries: eight cells at a time: transposes their nine numbers into lanes, one division, no branches, and back
#include <immintrin.h>

#include <cstddef>
#include <cstdint>

static inline void transpose8(__m256 r[8]) {
  __m256 t[8], u[8];
  for (int i = 0; i < 4; ++i) {
    t[2 * i] = _mm256_unpacklo_ps(r[2 * i], r[2 * i + 1]);
    t[2 * i + 1] = _mm256_unpackhi_ps(r[2 * i], r[2 * i + 1]);
  }
  for (int i = 0; i < 2; ++i) {
    u[4 * i] = _mm256_shuffle_ps(t[4 * i], t[4 * i + 2], 0x44);
    u[4 * i + 1] = _mm256_shuffle_ps(t[4 * i], t[4 * i + 2], 0xee);
    u[4 * i + 2] = _mm256_shuffle_ps(t[4 * i + 1], t[4 * i + 3], 0x44);
    u[4 * i + 3] = _mm256_shuffle_ps(t[4 * i + 1], t[4 * i + 3], 0xee);
  }
  for (int i = 0; i < 4; ++i) {
    r[i] = _mm256_permute2f128_ps(u[i], u[i + 4], 0x20);
    r[i + 4] = _mm256_permute2f128_ps(u[i], u[i + 4], 0x31);
  }
}

static void collide_cell(const float* from, bool wall, float* out, float omega) {
  float f[kDirections];
  for (int k = 0; k < kDirections; ++k) f[k] = from[k];
  if (wall) {
    for (int k = 0; k < kDirections; ++k) out[k] = f[kOpposite[k]];
    return;
  }
  float density = 0.f, ux = 0.f, uy = 0.f;
  for (int k = 0; k < kDirections; ++k) {
    density += f[k];
    ux += f[k] * kX[k];
    uy += f[k] * kY[k];
  }
  ux /= density;
  uy /= density;
  for (int k = 0; k < kDirections; ++k) {
    const float along = 3.f * (kX[k] * ux + kY[k] * uy);
    const float equilibrium =
        kWeight[k] * density * (1.f + along + 0.5f * along * along - 1.5f * (ux * ux + uy * uy));
    out[k] = f[k] + omega * (equilibrium - f[k]);
  }
}

void collide(const float* from, const uint8_t* material, float* to, int cells, float omega) {
  const __m256 relax = _mm256_set1_ps(omega);
  int c = 0;
  for (; c + 8 <= cells; c += 8) {
    // All that the eight cells read is read before anything is written: the arrays may be the same.
    const float* in = from + static_cast<ptrdiff_t>(c) * 9;
    float* out = to + static_cast<ptrdiff_t>(c) * 9;
    __m256 f[9];
    for (int i = 0; i < 8; ++i) f[i] = _mm256_loadu_ps(in + 9 * i);
    f[8] = _mm256_setr_ps(in[8], in[17], in[26], in[35], in[44], in[53], in[62], in[71]);
    transpose8(f);

    const __m256i kind = _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(material + c)));
    const __m256 wall = _mm256_castsi256_ps(_mm256_cmpeq_epi32(kind, _mm256_set1_epi32(kWall)));

    const __m256 diagonals = (f[5] + f[6]) + (f[7] + f[8]);
    const __m256 density = f[0] + ((f[1] + f[2]) + (f[3] + f[4])) + diagonals;
    const __m256 share = _mm256_set1_ps(1.f) / density;
    const __m256 ux = ((f[1] - f[3]) + (f[5] - f[6]) + (f[8] - f[7])) * share;
    const __m256 uy = ((f[2] - f[4]) + (f[5] - f[7]) + (f[6] - f[8])) * share;
    const __m256 still = _mm256_set1_ps(1.f) - _mm256_set1_ps(1.5f) * (ux * ux + uy * uy);
    const __m256 axis = density * _mm256_set1_ps(1.f / 9), corner = density * _mm256_set1_ps(1.f / 36);
    const __m256 rest = density * _mm256_set1_ps(4.f / 9);
    const auto towards = [&](__m256 weight, __m256 speed) {
      const __m256 along = speed * _mm256_set1_ps(3.f);
      return weight * (still + along + _mm256_set1_ps(0.5f) * along * along);
    };
    const __m256 zero = _mm256_setzero_ps();
    __m256 g[9];
    g[0] = rest * still;
    g[1] = towards(axis, ux);
    g[2] = towards(axis, uy);
    g[3] = towards(axis, zero - ux);
    g[4] = towards(axis, zero - uy);
    g[5] = towards(corner, ux + uy);
    g[6] = towards(corner, uy - ux);
    g[7] = towards(corner, zero - ux - uy);
    g[8] = towards(corner, ux - uy);
    for (int k = 0; k < 9; ++k) {
      g[k] = _mm256_blendv_ps(f[k] + relax * (g[k] - f[k]), f[kOpposite[k]], wall);
    }
    transpose8(g);
    float last[8];
    _mm256_storeu_ps(last, g[8]);
    for (int i = 0; i < 8; ++i) {
      _mm256_storeu_ps(out + 9 * i, g[i]);
      out[9 * i + 8] = last[i];
    }
  }
  for (; c < cells; ++c) {
    collide_cell(from + static_cast<ptrdiff_t>(c) * 9, material[c] == kWall, to + static_cast<ptrdiff_t>(c) * 9,
                 omega);
  }
}
