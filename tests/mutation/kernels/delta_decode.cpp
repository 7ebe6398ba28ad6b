// Differences with their sign in the lowest bit, summed from a start.
#include <cstdint>

static std::int32_t unfolded(std::uint32_t code) {
  return static_cast<std::int32_t>(code >> 1) ^ -static_cast<std::int32_t>(code & 1);
}

#pragma hone kernel in(codes[0 : n]) out(values[0 : n]) init(codes : uniform(0, 5000)) \
    problem(n = 60000, start = 17) problem(n = 20011, start = -3)
void delta_decode(const std::uint32_t* codes, std::int32_t* values, int n, std::int32_t start) {
  std::uint32_t value = static_cast<std::uint32_t>(start);
  for (int i = 0; i < n; ++i) {
    value += static_cast<std::uint32_t>(unfolded(codes[i]));
    values[i] = static_cast<std::int32_t>(value);
  }
}
