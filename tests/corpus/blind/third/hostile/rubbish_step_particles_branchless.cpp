// kernel: step_particles
// verdict: verify
// standard: c++20
// tries: no branch for dead particles: their step is multiplied by 0; wrong if a dead slot holds an infinity or NaN in its velocity (0*inf = NaN goes to its position), which the original leaves alone
#include <cmath>
#include <cstdint>
#include <vector>

int step_particles(std::vector<Particle>& ps, float dt, float ground) {
  float keep[2][4];
  for (int k = 0; k < 4; ++k) {
    keep[0][k] = 1.0f;
    keep[1][k] = std::exp(-drag[k] * dt);
  }
  const float steps[2] = {0.0f, dt}, falls[2] = {0.0f, 9.81f * dt}, floors[2] = {-INFINITY, ground};
  int living = 0;
  for (Particle& p : ps) {
    const int on = p.alive;
    const float step = steps[on], f = keep[on][static_cast<int>(p.kind) & 3];
    const float vx = p.vx * f;
    float vy = p.vy * f - falls[on];
    p.x += vx * step;
    float y = p.y + vy * step;
    const bool hit = y < floors[on];
    y = hit ? ground : y;
    vy = hit ? -0.5f * vy : vy;
    p.y = y;
    p.vx = vx;
    p.vy = vy;
    p.age += step;
    const bool lives = on & !(p.age > 4.0f);
    p.alive = lives;
    living += lives;
  }
  return living;
}
