// The two loops that machine_rates.cpp times, for vectors of 128, 256 and 512 bits; compiled with -O3.
#pragma once

#include <cstddef>

namespace hone::tune {

struct MachineLoops {
  unsigned vector_bits;
  double (*multiply)(float seed);  // operations done; `seed` keeps the compiler from doing them
  long long (*read)(const std::byte* data, std::size_t bytes);  // aligned to 64, a multiple of 256
};

// The widest that this processor has, of at most `vector_bits`.
MachineLoops machine_loops(unsigned vector_bits);

}  // namespace hone::tune
