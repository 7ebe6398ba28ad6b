// One step of the particles of a game. Slots of dead particles are reused later and hold anything until then.
// Returns how many live on.
#include <cmath>
#include <cstdint>
#include <vector>

enum class Kind : uint8_t { spark, smoke, debris, rain };

struct Particle {
  float x, y, vx, vy, age;
  Kind kind;
  bool alive;
};

static float drag[4] = {0.4f, 2.5f, 0.1f, 0.05f};  // per second; set by the level

void set_drag(Kind kind, float value) { drag[static_cast<int>(kind) & 3] = value; }

#pragma hone kernel inout(ps[0:ps.size()]) in(drag[0:4]) problem(ps.size()=10000, dt=0.016f) \
    problem(ps.size()=300, dt=0.033f) init(drag: uniform(0, 3), ground: uniform(-1, 0))
int step_particles(std::vector<Particle>& ps, float dt, float ground) {
  int living = 0;
  for (Particle& p : ps) {
    if (!p.alive) continue;
    const float keep = std::exp(-drag[static_cast<int>(p.kind) & 3] * dt);
    p.vx *= keep;
    p.vy = p.vy * keep - 9.81f * dt;
    p.x += p.vx * dt;
    p.y += p.vy * dt;
    if (p.y < ground) {
      p.y = ground;
      p.vy = -0.5f * p.vy;
    }
    p.age += dt;
    if (p.age > 4.0f) p.alive = false;
    else ++living;
  }
  return living;
}
