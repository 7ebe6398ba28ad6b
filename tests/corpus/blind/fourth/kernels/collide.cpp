// Collision step of a lattice Boltzmann fluid in two dimensions (D2Q9, BGK). Walls send back what arrives.
// May work in place.
#include <cstddef>
#include <cstdint>

static const int kDirections = 9;
static const int kX[kDirections] = {0, 1, 0, -1, 0, 1, -1, -1, 1};
static const int kY[kDirections] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
static const int kOpposite[kDirections] = {0, 3, 4, 1, 2, 7, 8, 5, 6};
static const float kWeight[kDirections] = {4.f / 9,  1.f / 9,  1.f / 9,  1.f / 9, 1.f / 9,
                                           1.f / 36, 1.f / 36, 1.f / 36, 1.f / 36};
static const uint8_t kWall = 0;

#pragma hone kernel in(from[0:cells*9], material[0:cells]) out(to[0:cells*9]) alias(from, to) \
    problem(cells=10000) problem(cells=321) \
    init(from: uniform(0.01, 0.4), material: uniform(0, 15), omega: uniform(0.5, 1.9)) tolerance(rtol=1e-4)
void collide(const float* from, const uint8_t* material, float* to, int cells, float omega) {
  for (int c = 0; c < cells; ++c) {
    float f[kDirections];
    for (int k = 0; k < kDirections; ++k) f[k] = from[static_cast<ptrdiff_t>(c) * kDirections + k];
    float* out = to + static_cast<ptrdiff_t>(c) * kDirections;

    if (material[c] == kWall) {
      for (int k = 0; k < kDirections; ++k) out[k] = f[kOpposite[k]];
      continue;
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
}
