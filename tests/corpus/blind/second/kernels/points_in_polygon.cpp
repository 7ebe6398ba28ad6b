// Which points lie inside of a polygon, by the parity of the edges to their right; it may cross itself.
#pragma hone kernel in(px[0:n], py[0:n], vx[0:m], vy[0:m]) out(inside[0:n]) problem(n = 12000, m = 24)
void points_in_polygon(const float* px, const float* py, const float* vx, const float* vy, unsigned char* inside, int n,
                       int m) {
  for (int i = 0; i < n; ++i) {
    bool in = false;
    for (int a = 0, b = m - 1; a < m; b = a++) {
      if ((vy[a] > py[i]) == (vy[b] > py[i])) continue;
      const double t = (static_cast<double>(py[i]) - vy[a]) / (static_cast<double>(vy[b]) - vy[a]);
      if (px[i] < vx[a] + t * (static_cast<double>(vx[b]) - vx[a])) in = !in;
    }
    inside[i] = in;
  }
}
