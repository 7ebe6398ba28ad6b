// kernel: bodies
// verdict: right
// tries: a table of pointers to members
namespace {
struct Axis {
  float Body::*place;
  float Body::*speed;
  float Force::*push;
};
constexpr Axis kAxes[] = {{&Body::x, &Body::vx, &Force::x}, {&Body::y, &Body::vy, &Force::y}, {&Body::z, &Body::vz, &Force::z}};
}  // namespace
void advance(Body* body, const Force* force, int n, float dt) {
  for (int i = 0; i < n; ++i)
    if (!(body[i].fixed & 1))
      for (const auto& [place, speed, push] : kAxes)
        body[i].*place += (body[i].*speed += force[i].*push * dt) * dt;
}
