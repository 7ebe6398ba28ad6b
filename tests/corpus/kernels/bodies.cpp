// Structs of floats with padding behind the last member, advanced in place.
struct Force {
  float x, y, z;
};
struct Body {
  float x, y, z;
  float vx, vy, vz;
  unsigned char fixed;
};

#pragma hone kernel in(force[0:n]) inout(body[0:n]) problem(n = 8000, dt = 0.01f)
void advance(Body* body, const Force* force, int n, float dt) {
  for (int i = 0; i < n; ++i) {
    if (body[i].fixed & 1) continue;
    body[i].vx += force[i].x * dt;
    body[i].vy += force[i].y * dt;
    body[i].vz += force[i].z * dt;
    body[i].x += body[i].vx * dt;
    body[i].y += body[i].vy * dt;
    body[i].z += body[i].vz * dt;
  }
}
