// kernel: squash
// verdict: right
// tries: pointers in a struct with operators of its own, and an attribute on everything
#include <cmath>
namespace {
struct Cursor {
  const float* at;
  [[gnu::always_inline]] inline float operator*() const noexcept { return *at; }
  [[gnu::always_inline]] inline Cursor& operator++() noexcept { return ++at, *this; }
  [[nodiscard]] friend bool operator!=(Cursor l, Cursor r) noexcept { return l.at != r.at; }
};
}  // namespace
[[gnu::hot, gnu::flatten]] void squash(const float* const x, float* y, const int n, const float a) {
  for (Cursor c{x}, end{x + (n > 0 ? n : 0)}; c != end; ++c) *y++ = *c / (1.0f + std::sqrt(*c * *c + a));
}
