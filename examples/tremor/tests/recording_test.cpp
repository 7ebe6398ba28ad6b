#include "recording.h"

#include <cstdio>
#include <stdexcept>

#include "check.h"

int main() {
  const std::string path = "recording_test.rec";
  tremor::Recording(50, {1, -2, 3.5f}).save(path);
  const tremor::Recording loaded = tremor::Recording::load(path);
  CHECK(loaded.rate() == 50);
  CHECK((loaded.samples() == std::vector<float>{1, -2, 3.5f}));
  CHECK(close(loaded.seconds(), 0.06, 1e-9));
  std::remove(path.c_str());

  try {
    tremor::Recording::load("no such file");
    CHECK(false);
  } catch (const std::runtime_error&) {
  }
  return failures != 0;
}
