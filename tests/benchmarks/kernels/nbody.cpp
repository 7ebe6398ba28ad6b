// Accelerations of n bodies under gravity, summed in memory.
#include <cmath>

#pragma hone kernel in(x[0 : n], y[0 : n], z[0 : n], mass[0 : n])out(ax[0 : n], ay[0 : n], az[0 : n])        \
    init(x : uniform(-1, 1), y : uniform(-1, 1), z : uniform(-1, 1), mass : uniform(0, 1)) problem(n = 1024) \
        problem(n = 777) tolerance(rtol = 1e-3, atol = 1e-2)
void nbody(const float* x, const float* y, const float* z, const float* mass, float* ax, float* ay, float* az, int n) {
  for (int i = 0; i < n; ++i) {
    ax[i] = 0.0f;
    ay[i] = 0.0f;
    az[i] = 0.0f;
    for (int j = 0; j < n; ++j) {
      float dx = x[j] - x[i];
      float dy = y[j] - y[i];
      float dz = z[j] - z[i];
      float r2 = dx * dx + dy * dy + dz * dz + 1e-3f;
      float inverse = 1.0f / std::sqrt(r2);
      float s = mass[j] * inverse * inverse * inverse;
      ax[i] += s * dx;
      ay[i] += s * dy;
      az[i] += s * dz;
    }
  }
}
