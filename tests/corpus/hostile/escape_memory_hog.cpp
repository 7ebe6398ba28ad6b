// kernel: squash
// verdict: verify "memory" or "SIGABRT" or "did not end"
// tries: to take all memory that the machine has
#include <cstring>
#include <memory>
#include <vector>
void squash(const float*, float*, int, float) {
  std::vector<std::unique_ptr<char[]>> all;
  for (;;) {
    all.push_back(std::make_unique<char[]>(std::size_t{64} << 20));
    std::memset(all.back().get(), 1, std::size_t{64} << 20);
  }
}
