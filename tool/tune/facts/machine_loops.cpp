#include "tool/tune/facts/machine_loops.h"

namespace hone::tune {
namespace {

// Some 24,000 cycles at two multiply-adds a cycle: long beside reading the clock, short beside a time slice.
constexpr long rounds = 4000;

// A macro, since a function's instruction set is an attribute of its definition. Twelve chains: as many as an fma's
// latency times its rate, and more. The vectors are those that GCC and Clang both know.
#define HONE_MACHINE_LOOPS(suffix, bytes, ...)                                                                        \
  __VA_ARGS__ double multiply_##suffix(float seed) {                                                                  \
    typedef float Lanes __attribute__((vector_size(bytes)));                                                          \
    Lanes a = Lanes{} + seed, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7, i = a + 8, \
          j = a + 9, k = a + 10, l = a + 11;                                                                          \
    const Lanes x = Lanes{} + 0.999f, y = Lanes{} + seed;                                                             \
    for (long round = 0; round < rounds; ++round) {                                                                   \
      a = a * x + y, b = b * x + y, c = c * x + y, d = d * x + y, e = e * x + y, f = f * x + y;                       \
      g = g * x + y, h = h * x + y, i = i * x + y, j = j * x + y, k = k * x + y, l = l * x + y;                       \
    }                                                                                                                 \
    const Lanes sum = a + b + c + d + e + f + g + h + i + j + k + l;                                                  \
    volatile float kept = sum[0] + sum[1];                                                                            \
    static_cast<void>(kept);                                                                                          \
    return 2.0 * 12 * rounds * ((bytes) / sizeof(float));                                                             \
  }                                                                                                                   \
  __VA_ARGS__ long long read_##suffix(const std::byte* data, std::size_t size) {                                      \
    typedef long long Lanes __attribute__((vector_size(bytes), may_alias));                                           \
    const Lanes* from = reinterpret_cast<const Lanes*>(data);                                                         \
    Lanes p{}, q{}, r{}, s{};                                                                                         \
    for (std::size_t at = 0; at + 4 <= size / (bytes); at += 4)                                                       \
      p ^= from[at], q ^= from[at + 1], r ^= from[at + 2], s ^= from[at + 3];                                         \
    const Lanes all = p ^ q ^ r ^ s;                                                                                  \
    return all[0] ^ all[1];                                                                                           \
  }

HONE_MACHINE_LOOPS(128, 16)
#if defined(__x86_64__)
HONE_MACHINE_LOOPS(256, 32, __attribute__((target("avx2,fma"))))
HONE_MACHINE_LOOPS(512, 64, __attribute__((target("avx512f"))))
#endif

}  // namespace

MachineLoops machine_loops([[maybe_unused]] unsigned vector_bits) {
#if defined(__x86_64__)
  if (vector_bits >= 512 && __builtin_cpu_supports("avx512f")) return {512, multiply_512, read_512};
  if (vector_bits >= 256 && __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
    return {256, multiply_256, read_256};
#endif
  return {128, multiply_128, read_128};
}

}  // namespace hone::tune
