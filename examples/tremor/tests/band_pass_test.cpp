#include "band_pass.h"

#include "check.h"

namespace {

double loudness(double hertz) {
  std::vector<float> wave(4000);
  for (std::size_t i = 0; i < wave.size(); ++i) wave[i] = static_cast<float>(std::sin(6.2831853 * hertz * i / 100));
  const tremor::Recording passed = tremor::BandPass(1, 12).apply(tremor::Recording(100, wave));
  double sum = 0;
  for (std::size_t i = 2000; i < wave.size(); ++i) sum += std::fabs(passed.samples()[i]);
  return sum / 2000;
}

}  // namespace

int main() {
  CHECK(close(loudness(4), 0.63, 0.05));  // the mean of a sine's absolute values
  CHECK(loudness(0.1) < 0.02);
  CHECK(loudness(45) < 0.02);
  CHECK(tremor::BandPass(1, 12).apply(tremor::Recording(100, {})).samples().empty());
  return failures != 0;
}
