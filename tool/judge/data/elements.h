// Walks over the elements of an array that are compared: the boxes of its extents, field by field. Templates, so that
// the loops over them are as tight as loops over plain arrays.
#pragma once

#include <cstddef>
#include <vector>

#include "tool/judge/data/comparison.h"
#include "tool/judge/data/parallel_blocks.h"

namespace hone::judge {

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
  while (inner > 0 && array.spans[inner].start == 0 && array.spans[inner].size() == array.spans[inner].length)
    run *= static_cast<std::size_t>(array.spans[--inner].length);
  for (;;) {
    std::size_t first = 0;
    for (std::size_t d = 0; d < dimensions; ++d)
      first = first * static_cast<std::size_t>(array.spans[d].size()) + static_cast<std::size_t>(at[d]);
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

// Calls f(part, byte offset, element) for each compared scalar of the field, with a part for each block of elements.
// Returns the parts, in the elements' order.
template <class Part, class Function>
std::vector<Part> each_scalar_by_blocks(const Comparison& comparison, const Field& field, Function&& f) {
  const std::size_t size = comparison.element.size;
  const auto take = [&](Part& part, std::size_t first, std::size_t count) {
    for (std::size_t i = first; i < first + count; ++i)
      for (std::size_t k = 0; k < field.count; ++k) f(part, i * size + field.offset + k * field.type.size, i);
  };
  std::size_t stretches = 0, first = 0, count = 0;
  each_stretch(comparison.array, [&](std::size_t from, std::size_t length) {
    if (stretches++ == 0) first = from, count = length;
  });
  const std::size_t in_block = std::max<std::size_t>(block_bytes / std::max<std::size_t>(size, 1), 1);
  std::vector<Part> parts(stretches == 1 ? (count + in_block - 1) / in_block : 1);
  if (stretches != 1) {  // many short ones
    each_stretch(comparison.array, [&](std::size_t from, std::size_t length) { take(parts.front(), from, length); });
    return parts;
  }
  for_blocks(parts.size(),
             [&](std::size_t n) { take(parts[n], first + n * in_block, std::min(in_block, count - n * in_block)); });
  return parts;
}

}  // namespace hone::judge
