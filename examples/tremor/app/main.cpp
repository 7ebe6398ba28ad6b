// tremor make RECORDING     writes six hours of made-up ground motion
// tremor find RECORDING     prints the tremors in it
#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "band_pass.h"
#include "matcher.h"
#include "synthesis.h"

namespace {

constexpr double kRate = 100, kHours = 6;

int make(const std::string& path) {
  std::vector<double> places;
  for (double place = 100; place < kHours * 3600; place += 83.33) places.push_back(place);
  tremor::ground(kRate, kHours * 3600, places, 17).save(path);
  return 0;
}

void print_strongest(const tremor::Catalog& catalog, double rate) {
  std::vector<std::pair<std::size_t, tremor::Tremor>> strongest(catalog.begin(), catalog.end());
  std::sort(strongest.begin(), strongest.end(),
            [](const auto& a, const auto& b) { return a.second.peak > b.second.peak; });
  strongest.resize(std::min<std::size_t>(strongest.size(), 3));
  for (const auto& [place, found] : strongest)
    std::printf("%9.2f s   similarity %.2f   peak %.2f   background %.3f\n", static_cast<double>(place) / rate,
                found.similarity, found.peak, found.background);
}

int find(const std::string& path) {
  const tremor::BandPass band(1, 12);
  const tremor::Recording recording = band.apply(tremor::Recording::load(path));
  const tremor::Matcher matcher(band.apply(tremor::known_tremor(recording.rate(), 4)), 0.7f);
  const tremor::Catalog catalog = matcher.find(recording);
  print_strongest(catalog, recording.rate());
  std::printf("%zu tremors in %.0f s\n", catalog.size(), recording.seconds());
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  const std::string command = argc == 3 ? argv[1] : "";
  try {
    if (command == "make") return make(argv[2]);
    if (command == "find") return find(argv[2]);
  } catch (const std::exception& problem) {
    std::fprintf(stderr, "tremor: %s\n", problem.what());
    return 1;
  }
  std::fprintf(stderr, "usage: tremor make RECORDING\n       tremor find RECORDING\n");
  return 2;
}
