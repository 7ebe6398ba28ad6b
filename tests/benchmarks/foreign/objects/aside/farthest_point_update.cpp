// Distances to the nearest chosen point updated for a new one, and the farthest point's index: views::iota, std::array.
#include <algorithm>
#include <array>
#include <cstddef>
#include <ranges>
#include <vector>

namespace cloud {

struct Point {
  std::array<float, 3> xyz;
};

inline float squared_distance(const Point& a, const Point& b) {
  float sum = 0.0f;
  for (int axis = 0; axis < 3; ++axis) {
    const float d = a.xyz[axis] - b.xyz[axis];
    sum += d * d;
  }
  return sum;
}

}  // namespace cloud

#pragma hone kernel inout(nearest[0:nearest.size()]) problem(points.size()=5003, nearest.size()=5003) tolerance(rtol=1e-4)
int farthest_point_update(const std::vector<cloud::Point>& points, const cloud::Point& chosen,
                          std::vector<float>& nearest) {
  const std::size_t n = std::min(points.size(), nearest.size());
  std::size_t farthest = 0;
  float farthest_distance = -1.0f;
  for (const std::size_t i : std::views::iota(std::size_t{0}, n)) {
    nearest[i] = std::min(nearest[i], cloud::squared_distance(points[i], chosen));
    if (nearest[i] > farthest_distance) {
      farthest_distance = nearest[i];
      farthest = i;
    }
  }
  return static_cast<int>(farthest);
}
