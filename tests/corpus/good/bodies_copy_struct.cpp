// kernel: bodies
// verdict: right
// tries: whole structs in and out, padding and all
void advance(Body* body, const Force* force, int n, float dt) {
  if (dt == 0) return;
  for (Body *b = body, *end = body + (n > 0 ? n : 0); b != end; ++b, ++force) {
    Body o = *b;
    const float s = o.fixed & 1 ? 0.0f : dt;
    if (s == 0) continue;
    o.vx += force->x * s; o.vy += force->y * s; o.vz += force->z * s;
    o.x += o.vx * s; o.y += o.vy * s; o.z += o.vz * s;
    *b = o;
  }
}
