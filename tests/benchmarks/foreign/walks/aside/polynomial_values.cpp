// A polynomial's value at many points, by Horner's rule over reverse iterators, inside while (x != end).
#include <vector>

#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=3001, coeffs.size()=9) tolerance(rtol=1e-6)
void polynomial_values(const std::vector<double>& coeffs, const double* x, double* y, int n) {
  const double* const end = x + n;
  while (x != end) {
    double v = 0.0;
    for (auto c = coeffs.rbegin(); c != coeffs.rend(); ++c)
      v = v * *x + *c;
    *y++ = v;
    ++x;
  }
}
