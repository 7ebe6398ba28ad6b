// kernel: bodies
// verdict: verify ".z"
// tries: to move bodies by their old speed along one axis
void advance(Body* body, const Force* force, int n, float dt) {
  for (int i = 0; i < n; ++i) {
    if (body[i].fixed & 1) continue;
    body[i].vx += force[i].x * dt;
    body[i].vy += force[i].y * dt;
    body[i].x += body[i].vx * dt;
    body[i].y += body[i].vy * dt;
    body[i].z += body[i].vz * dt;
    body[i].vz += force[i].z * dt;
  }
}
