// kernel: step_particles
// verdict: right
// standard: c++20
// tries: the four factors exp(-drag*dt) are computed once a call, before the loop; everything else in the original's order with its values in registers
#include <cmath>
#include <cstdint>
#include <vector>

int step_particles(std::vector<Particle>& ps, float dt, float ground) {
  const size_t n = ps.size();
  Particle* const first = ps.data();
  if (n == 0) return 0;
  float keep[4];
  for (int k = 0; k < 4; ++k) keep[k] = std::exp(-drag[k] * dt);
  const float fall = 9.81f * dt;
  int living = 0;
  for (Particle *p = first, *end = first + n; p != end; ++p) {
    if (!p->alive) continue;
    const float f = keep[static_cast<unsigned>(p->kind) & 3];
    const float vx = p->vx * f;
    float vy = p->vy * f - fall;
    float y = p->y + vy * dt;
    const bool hit = y < ground;
    y = hit ? ground : y;
    vy = hit ? -0.5f * vy : vy;
    const float age = p->age + dt;
    const bool old = age > 4.0f;
    p->x += vx * dt;
    p->y = y;
    p->vx = vx;
    p->vy = vy;
    p->age = age;
    p->alive = !old;
    living += !old;
  }
  return living;
}
