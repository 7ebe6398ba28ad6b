// Distance at which each ray meets a sphere, -1 where it misses: Vec3 with dot(), early continue.
#include <cmath>

namespace trace {

struct Vec3 {
  double x, y, z;

  Vec3 operator-(const Vec3& o) const { return {x - o.x, y - o.y, z - o.z}; }
  double dot(const Vec3& o) const { return x * o.x + y * o.y + z * o.z; }
  double length_squared() const { return dot(*this); }
};

struct Ray {
  Vec3 origin;
  Vec3 direction;
};

struct Sphere {
  Vec3 center;
  double radius;
};

constexpr double kNearest = 1e-6;
constexpr double kMiss = -1.0;

}  // namespace trace

#pragma hone kernel in(rays[0:n]) out(depth[0:n]) problem(n=3001) tolerance(rtol=1e-6)
void ray_sphere_depths(const trace::Ray* rays, int n, const trace::Sphere& ball, double* depth) {
  for (int i = 0; i < n; ++i) {
    const trace::Ray& ray = rays[i];
    depth[i] = trace::kMiss;

    const trace::Vec3 offset = ray.origin - ball.center;
    const double a = ray.direction.length_squared();
    if (a == 0.0) {
      continue;
    }
    const double half_b = offset.dot(ray.direction);
    const double c = offset.length_squared() - ball.radius * ball.radius;
    const double discriminant = half_b * half_b - a * c;
    if (discriminant < 0.0) {
      continue;
    }

    const double root = std::sqrt(discriminant);
    double t = (-half_b - root) / a;
    if (t < trace::kNearest) {
      t = (-half_b + root) / a;
      if (t < trace::kNearest) {
        continue;
      }
    }
    depth[i] = t;
  }
}
