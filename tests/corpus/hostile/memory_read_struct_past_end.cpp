// kernel: bodies
// verdict: verify "past the end of force"
// tries: to prefetch the next struct by loading it, also behind the last
void advance(Body* body, const Force* force, int n, float dt) {
  volatile float sink = 0;
  for (int i = 0; i < n; ++i) {
    sink = force[i + 1].x;
    if (body[i].fixed & 1) continue;
    body[i].vx += force[i].x * dt;
    body[i].vy += force[i].y * dt;
    body[i].vz += force[i].z * dt;
    body[i].x += body[i].vx * dt;
    body[i].y += body[i].vy * dt;
    body[i].z += body[i].vz * dt;
  }
}
