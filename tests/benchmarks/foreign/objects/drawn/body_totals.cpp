// Mass, first moments, momentum and kinetic energy of a set of bodies: std::accumulate over structs.
#include <numeric>
#include <vector>

namespace orbit {

template <typename T>
struct Vector {
  T x, y, z;

  Vector& operator+=(const Vector& o) {
    x += o.x;
    y += o.y;
    z += o.z;
    return *this;
  }
  T dot(const Vector& o) const { return x * o.x + y * o.y + z * o.z; }
};

struct Body {
  float mass;
  Vector<float> position;
  Vector<float> velocity;
};

struct Totals {
  double mass = 0.0;
  Vector<double> moment{0.0, 0.0, 0.0};
  Vector<double> momentum{0.0, 0.0, 0.0};
  double energy = 0.0;
};

inline Vector<double> weighted(double w, const Vector<float>& v) { return {w * v.x, w * v.y, w * v.z}; }

inline Totals operator+(Totals totals, const Body& body) {
  totals.mass += body.mass;
  totals.moment += weighted(body.mass, body.position);
  totals.momentum += weighted(body.mass, body.velocity);
  totals.energy += 0.5 * body.mass * body.velocity.dot(body.velocity);
  return totals;
}

}  // namespace orbit

#pragma hone kernel out(report[0:8]) problem(bodies.size()=4001) tolerance(rtol=1e-4)
void body_totals(const std::vector<orbit::Body>& bodies, double* report) {
  const orbit::Totals t = std::accumulate(bodies.begin(), bodies.end(), orbit::Totals{});
  report[0] = t.mass;
  report[1] = t.moment.x;
  report[2] = t.moment.y;
  report[3] = t.moment.z;
  report[4] = t.momentum.x;
  report[5] = t.momentum.y;
  report[6] = t.momentum.z;
  report[7] = t.energy;
}
