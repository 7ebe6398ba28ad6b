#include "tool/judge/data/uniform_fill.h"

// GCC takes a vector multiplication of 64 bits for cheap where there is none, and the loop then takes 1.7 times as long.
#if defined(__GNUC__) && !defined(__clang__)
#define HONE_SCALAR __attribute__((optimize("no-tree-vectorize")))
#else
#define HONE_SCALAR
#endif

namespace hone::judge {
namespace {

template <class T>
HONE_SCALAR void fill_one_by_one(T* array, std::size_t begin, std::size_t end, Range range, std::uint64_t key) {
  for (std::size_t i = begin; i < end; ++i) array[i] = uniform_value<T>(range, bits_at(key, i));
}

#if defined(__x86_64__)
// The same values, since nothing is contracted (CMakeLists.txt).
template <class T>
__attribute__((target("avx512f,avx512dq,avx512vl"))) void fill_in_vectors(T* array, std::size_t begin, std::size_t end,
                                                                          Range range, std::uint64_t key) {
  for (std::size_t i = begin; i < end; ++i) array[i] = uniform_value<T>(range, bits_at(key, i));
}

bool has_wide_multiplication() {
  static const bool has = __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
  return has;
}
#endif

}  // namespace

template <class T>
void fill_uniform(T* array, std::size_t begin, std::size_t end, Range range, std::uint64_t key) {
#if defined(__x86_64__)
  if (has_wide_multiplication()) return fill_in_vectors(array, begin, end, range, key);
#endif
  fill_one_by_one(array, begin, end, range, key);
}

template void fill_uniform(float*, std::size_t, std::size_t, Range, std::uint64_t);
template void fill_uniform(double*, std::size_t, std::size_t, Range, std::uint64_t);
template void fill_uniform(int*, std::size_t, std::size_t, Range, std::uint64_t);

}  // namespace hone::judge
