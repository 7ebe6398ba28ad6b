// kernel: bodies
// verdict: right
// tries: structures of arrays in blocks on the stack
#include <algorithm>
void advance(Body* body, const Force* force, int n, float dt) {
  constexpr int B = 64;
  struct Block {
    float p[3][B], v[3][B], f[3][B];
  } s;
  for (int b = 0; b < n; b += B) {
    const int m = std::min(B, n - b);
    for (int i = 0; i < m; ++i) {
      const Body& o = body[b + i];
      const Force& f = force[b + i];
      s.p[0][i] = o.x, s.p[1][i] = o.y, s.p[2][i] = o.z;
      s.v[0][i] = o.vx, s.v[1][i] = o.vy, s.v[2][i] = o.vz;
      s.f[0][i] = f.x, s.f[1][i] = f.y, s.f[2][i] = f.z;
    }
    for (int k = 0; k < 3; ++k)
      for (int i = 0; i < m; ++i) s.v[k][i] += s.f[k][i] * dt, s.p[k][i] += s.v[k][i] * dt;
    for (int i = 0; i < m; ++i) {
      Body& o = body[b + i];
      if (o.fixed & 1) continue;
      o.x = s.p[0][i], o.y = s.p[1][i], o.z = s.p[2][i];
      o.vx = s.v[0][i], o.vy = s.v[1][i], o.vz = s.v[2][i];
    }
  }
}
