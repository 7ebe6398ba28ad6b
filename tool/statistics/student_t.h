// Student's distribution, for intervals from few batches. Exact for whole degrees of freedom. Pure.
#pragma once

namespace hone::statistics {

// P(T <= t), by the finite series of Abramowitz and Stegun 26.7.3 and 26.7.4; freedom >= 1.
double student_probability(double t, unsigned freedom);

// The t that a share of `tail` lies above; 0 < tail < 1.
double student_quantile_above(double tail, unsigned freedom);

}  // namespace hone::statistics
