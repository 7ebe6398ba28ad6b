// Which points lie inside of a closed ring (even-odd rule).
#include <cstddef>
#include <cstdint>
#include <span>

struct Point {
  double x, y;
};

#pragma hone kernel in(points[0:points.size()], ring[0:ring.size()]) out(inside[0:points.size()]) \
    problem(points.size()=600, ring.size()=120) problem(points.size()=77, ring.size()=13)
void points_inside(std::span<const Point> points, std::span<const Point> ring, std::span<uint8_t> inside) {
  for (size_t p = 0; p < points.size(); ++p) {
    const Point q = points[p];
    bool in = false;
    for (size_t i = 0; i < ring.size(); ++i) {
      const Point& a = ring[i];
      const Point& b = ring[i == 0 ? ring.size() - 1 : i - 1];
      if ((a.y > q.y) != (b.y > q.y)) {
        const double crossing = (b.x - a.x) * (q.y - a.y) / (b.y - a.y) + a.x;
        if (q.x < crossing) in = !in;
      }
    }
    inside[p] = in;
  }
}
