// A function over a class with a std::vector inside, judged through a workload.
#include <cstddef>
#include <vector>

#include "../../../annotations/include/hone/workload.h"

class Tally {
 public:
  explicit Tally(int keys) : counts_(static_cast<std::size_t>(keys)) {}
  std::vector<int>& counts() { return counts_; }
  const std::vector<int>& counts() const { return counts_; }
  long repeats = 0;

 private:
  std::vector<int> counts_;
};

void tally(const std::vector<int>& data, Tally& into);

inline void tally_case(hone::workload& w, int n, int keys) {
  if (n < 0 || keys < 1) return w.skip();
  std::vector<int> data(static_cast<std::size_t>(n));
  w.fill(data, 0, keys - 1);
  Tally into(keys);
  w.time([&] { tally(data, into); });
  w.exact(into.repeats);
  w.exact(into.counts());
}

#pragma hone kernel workload(tally_case) problem(n = 20000, keys = 256)
void tally(const std::vector<int>& data, Tally& into) {
  for (std::size_t i = 0; i < data.size(); ++i) {
    bool seen = false;
    for (std::size_t j = 0; j < i && j < 16; ++j) seen |= data[j] == data[i];
    into.repeats += seen;
    ++into.counts()[static_cast<std::size_t>(data[i])];
  }
}
