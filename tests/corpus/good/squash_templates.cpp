// kernel: squash
// verdict: right
// tries: a block size as a template argument, and recursion over sizes
#include <cmath>
#include <type_traits>
#include <utility>
namespace {
template <class T> constexpr T one = T(1);
template <std::size_t... I>
inline void block(const float* x, float* y, float a, std::index_sequence<I...>) {
  ((y[I] = x[I] / (one<float> + std::sqrt(x[I] * x[I] + a))), ...);
}
template <int Size>
void blocks(const float*& x, float*& y, int& n, float a) {
  for (; n >= Size; n -= Size, x += Size, y += Size) block(x, y, a, std::make_index_sequence<Size>());
  if constexpr (Size > 1) blocks<Size / 2>(x, y, n, a);
}
}  // namespace
void squash(const float* x, float* y, int n, float a) { blocks<16>(x, y, n, a); }
