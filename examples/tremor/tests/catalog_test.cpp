#include "catalog.h"

#include "check.h"

int main() {
  const std::vector<float> score = {0, 0.8f, 0.9f, 0.8f, 0, 0, 0, 0.75f, 0, 0.3f};
  tremor::Catalog catalog = tremor::pick(score, 0.7f, 4);
  CHECK(catalog.size() == 2);
  CHECK(catalog.count(2) == 1 && catalog.at(2).similarity == 0.9f);
  CHECK(catalog.count(7) == 1);

  const tremor::Recording recording(100, {0, 1, -3, 1, 0, 0, 0, 2, -1, 0});
  tremor::measure(catalog, recording, 3);
  CHECK(catalog.at(2).peak == 3);
  CHECK(catalog.at(7).peak == 2);
  CHECK(close(catalog.at(2).background, 0.8, 1e-6));

  CHECK(tremor::pick({}, 0.5f, 4).empty());
  return failures != 0;
}
