// Particles moved one step under gravity, with a speed limit and bouncing walls: auto& p, compound operators, std::hypot.
#include <cmath>
#include <cstdint>

namespace sim {

struct Vec2 {
  float x, y;

  Vec2& operator+=(const Vec2& o) {
    x += o.x;
    y += o.y;
    return *this;
  }
  Vec2& operator*=(float s) {
    x *= s;
    y *= s;
    return *this;
  }
  float length() const { return std::hypot(x, y); }
};

inline Vec2 operator*(Vec2 v, float s) { return v *= s; }

struct Particle {
  Vec2 position;
  Vec2 velocity;
  std::uint32_t flags;

  static constexpr std::uint32_t kPinned = 1u;
  bool pinned() const { return (flags & kPinned) != 0; }
};

constexpr float kRestitution = 0.8f;
constexpr Vec2 kGravity{0.0f, -9.81f};

inline void bounce(float& position, float& velocity, float wall) {
  if (position > wall) {
    position = wall;
    velocity = -kRestitution * velocity;
  } else if (position < -wall) {
    position = -wall;
    velocity = -kRestitution * velocity;
  }
}

}  // namespace sim

#pragma hone kernel inout(particles[0:n]) problem(n=2003, dt=0.02, wall=0.95, top_speed=0.75) tolerance(rtol=1e-4)
void bounce_particles(sim::Particle* particles, int n, float dt, float wall, float top_speed) {
  for (int i = 0; i < n; ++i) {
    auto& p = particles[i];
    if (p.pinned()) {
      continue;
    }
    p.velocity += sim::kGravity * dt;
    const float speed = p.velocity.length();
    if (speed > top_speed) {
      p.velocity *= top_speed / speed;
    }
    p.position += p.velocity * dt;
    sim::bounce(p.position.x, p.velocity.x, wall);
    sim::bounce(p.position.y, p.velocity.y, wall);
  }
}
