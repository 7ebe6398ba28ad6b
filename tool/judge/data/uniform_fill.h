// Uniform values in a row, as drawn one by one, and several times as fast: most of what a judgment draws are these.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tool/judge/data/distribution.h"

namespace hone::judge {

// Element `i` of [begin, end) is uniform_value<T>(range, bits_at(key, i)). There are float, double and int.
template <class T>
void fill_uniform(T* array, std::size_t begin, std::size_t end, Range range, std::uint64_t key);

template <class T>
constexpr bool is_filled_in_rows = std::is_same_v<T, float> || std::is_same_v<T, double> || std::is_same_v<T, int>;

}  // namespace hone::judge
