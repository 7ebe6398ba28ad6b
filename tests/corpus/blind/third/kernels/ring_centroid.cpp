// Area and centre of a ring of a map. Coordinates are metres in a national grid, so they are taken relative to
// the first point. A ring without area has its first point as its centre.
#include <cstddef>

struct Point {
  double x, y;
};

struct Ring {
  const Point* points;
  int n;
  double area;
  Point centre;
};

#pragma hone kernel in(r.points[0:r.n]) out(r.area, r.centre.x, r.centre.y) problem(r.n=5000) problem(r.n=40) \
    tolerance(rtol=1e-8)
void ring_centroid(Ring& r) {
  r.area = r.centre.x = r.centre.y = 0;
  if (r.n < 1) return;
  const double ox = r.points[0].x, oy = r.points[0].y;
  double twice = 0, mx = 0, my = 0;
  for (int i = 0; i < r.n; ++i) {
    const Point &p = r.points[i], &q = r.points[i + 1 < r.n ? i + 1 : 0];
    const double px = p.x - ox, py = p.y - oy, qx = q.x - ox, qy = q.y - oy;
    const double cross = px * qy - qx * py;
    twice += cross;
    mx += (px + qx) * cross;
    my += (py + qy) * cross;
  }
  r.area = twice / 2;
  if (twice == 0) {
    r.centre = r.points[0];
  } else {
    r.centre.x = ox + mx / (3 * twice);
    r.centre.y = oy + my / (3 * twice);
  }
}
