// A band-pass filter: what the ground does between two frequencies.
#pragma once

#include "recording.h"

namespace tremor {

// One low or high pass of second order. y[i] depends on y[i-1] and y[i-2].
void biquad(const float* x, float* y, int n, float b0, float b1, float b2, float a1, float a2);

class BandPass {
 public:
  BandPass(double low, double high) : low_(low), high_(high) {}
  Recording apply(const Recording& recording) const;

 private:
  double low_, high_;  // Hz
};

}  // namespace tremor
