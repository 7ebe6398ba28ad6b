#include "matcher.h"

#include <stdexcept>

#include "check.h"
#include "correlation.h"
#include "synthesis.h"

namespace {

void correlates_with_itself() {
  const std::vector<float> signal = {0, 0, 1, 2, -1, 0, 0, 0, 0}, pattern = {1, 2, -1};
  std::vector<float> score(7, -9.0f);
  tremor::correlate(signal.data(), 9, pattern.data(), 3, score.data());
  CHECK(close(score[2], 1, 1e-6));
  CHECK(close(score[0], -1 / std::sqrt(6.0), 1e-6));
  CHECK(score[6] == 0);  // silence
}

void finds_hidden_tremors() {
  const tremor::Matcher matcher(tremor::known_tremor(100, 4), 0.6f);
  const tremor::Catalog found = matcher.find(tremor::ground(100, 120, {20, 71.5}, 3));
  CHECK(found.size() == 2);
  CHECK(found.count(2000) == 1 && found.count(7150) == 1);
}

void refuses_short_recordings() {
  try {
    tremor::Matcher(tremor::known_tremor(100, 4), 0.6f).find(tremor::Recording(100, {1, 2, 3}));
    CHECK(false);
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace

int main() {
  correlates_with_itself();
  finds_hidden_tremors();
  refuses_short_recordings();
  return failures != 0;
}
