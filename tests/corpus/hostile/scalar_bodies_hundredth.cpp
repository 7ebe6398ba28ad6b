// kernel: bodies
// verdict: verify
// tries: the declared time step: a program that steps by 0.001 flies ten times too fast
void advance(Body* body, const Force* force, int n, float) {
  constexpr float dt = 0.01f;
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
