// Walks over the elements of an array that are compared: the boxes of its extents, field by field. Templates, so that
// the loops over them are as tight as loops over plain arrays.
#pragma once

#include <cstddef>
#include <vector>

#include "tool/evaluate/compare.h"

namespace hone::evaluate {

// Calls f(index of the first element, count) for each contiguous stretch of compared elements.
template <class Function>
void each_stretch(const Array& array, Function&& f) {
  if (array.elements == 0) return;
  const std::size_t dimensions = array.spans.size();
  for (const Span& span : array.spans)
    if (span.length == 0) return;
  std::vector<long long> at(dimensions);
  for (std::size_t d = 0; d < dimensions; ++d) at[d] = array.spans[d].start;
  // Whole trailing dimensions that are compared in full are one stretch with what is outside of them.
  std::size_t inner = dimensions - 1;
  std::size_t run = static_cast<std::size_t>(array.spans[inner].length);
  while (inner > 0 && array.spans[inner].start == 0) run *= static_cast<std::size_t>(array.spans[--inner].length);
  for (;;) {
    std::size_t first = 0;
    for (std::size_t d = 0; d < dimensions; ++d)
      first = first * static_cast<std::size_t>(array.spans[d].start + array.spans[d].length) +
              static_cast<std::size_t>(at[d]);
    f(first, run);
    std::size_t d = inner;
    for (;;) {
      if (d == 0) return;
      --d;
      if (++at[d] < array.spans[d].start + array.spans[d].length) break;
      at[d] = array.spans[d].start;
    }
  }
}

// Calls f(byte offset, element) for each compared scalar of the field.
template <class Function>
void each_scalar(const Comparison& comparison, const Field& field, Function&& f) {
  const std::size_t size = comparison.element.size;
  each_stretch(comparison.array, [&](std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i)
      for (std::size_t k = 0; k < field.count; ++k) f(i * size + field.offset + k * field.type.size, i);
  });
}

}  // namespace hone::evaluate
