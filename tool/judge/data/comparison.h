// Is an output right? Element by element, field by field, against what the original computed.
//
//   |got - expected| <= atol + rtol * max(|expected|, scale)
//
// scale is the root mean square of the expected elements (of several draws, where an output has few elements): a sum
// that happens to cancel is not held to more digits than it has. Default rtol: bfloat16 1.6e-2, half 1e-3, float 1e-5,
// double 1e-12, long double 1e-15, and at least 4 eps sqrt(n) for n elements of floating data (at most a hundred times
// the default, nor more than 0.1): rounding errors of sums grow that way, in the original too. Integers and bool:
// equal. NaN equals NaN, an infinity itself. A few of the smallest denormals are allowed beside. Padding is ignored.
// With a special value among the inputs (special_values.h) the rules bend as far as the original's own answer leaves
// room. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "tool/judge/data/case.h"
#include "tool/model/kernel_spec.h"

namespace hone::judge {

struct Mismatch {
  std::size_t element = 0;  // index into the whole array
  std::size_t offset = 0;   // of the wrong scalar, in bytes
  std::size_t bytes = 0;    // of the scalar
  std::string field;        // "" for arithmetic elements
  std::string got;
  std::string expected;
  std::size_t count = 0;  // wrong elements in all
};

// Bytes that outputs hold before a call. The key makes two of them differ; its lowest bit says what a floating element
// reads: NaN, or a number of ordinary size. A NaN alone would hide who reads an output: NaN equals NaN.
constexpr std::uint64_t poison_of_nan(std::uint64_t key) {
  return key & ~std::uint64_t{1};
}
constexpr std::uint64_t poison_of_numbers(std::uint64_t key) {
  return key | 1;
}

class Poison {
 public:
  Poison(const ElementType& element, std::uint64_t key);
  void fill(std::byte* to, std::size_t bytes) const;
  bool covers(const std::byte* from, std::size_t offset, std::size_t bytes) const;  // `offset`: in the array

 private:
  unsigned char pattern_[8];
};

struct ErrorAt;

struct Comparison {
  const ElementType& element;
  const Tolerance& tolerance;
  const Array& array;
  std::size_t data_elements = 0;  // floating elements that the call reads and writes, for the default rtol
  std::vector<double> scales{};   // per field; empty: scales_of(expected)
  Special special = Special::none;
  std::optional<Poison> unwritten{};      // of the expected: these bytes were not written; left out of scales …
  std::optional<Poison> got_unwritten{};  // … and right where the other side did not write them either
  const std::byte* ordinary = nullptr;    // what the original gives without the special value
  // May another kind of NaN or infinity stand here than the original's? Asked where there would be a mismatch.
  std::function<bool(const ErrorAt&)> pardons{};
};

// Root mean square of each field over the compared elements, finite ones alone.
std::vector<double> scales_of(const Comparison& comparison, const std::byte* expected);

// How many times the default tolerance grows by the number of elements; of float.
double growth_of_tolerance(const Comparison& comparison);

// Is what was written finite, as far as it is floating?
bool all_finite(const Comparison& comparison, const std::byte* data);
// Does what is floating hardly differ, by an eighth of the tolerance or a few units in the last place? Of the original
// on data that were nudged: where it does, no two ways of computing agree.
bool is_steady(const Comparison& comparison, const std::byte* data, const std::byte* nudged);
// Is what is floating so coarse that no rounding can have made it: multiples of a 64th, of few digits?
bool is_exact(const Comparison& comparison, const std::byte* data);

std::optional<Mismatch> compare(const Comparison& comparison, const std::byte* expected, const std::byte* got);

// Does the scalar hold what both sides found there?
bool written_by_neither(const Comparison& comparison, std::size_t offset, std::size_t bytes, const std::byte* expected,
                        const std::byte* got);

// Calls f for each compared scalar of a floating type, but those that neither side wrote.
struct ErrorAt {
  std::size_t element, offset;
  std::size_t field;   // number
  std::size_t scalar;  // number among the compared ones of its field
  double expected, got;
  double allowed;
  double atol;
  double magnitude;  // what rtol is relative to
  double rtol;
};
void each_error(const Comparison& comparison, const std::byte* expected, const std::byte* got,
                const std::function<void(const ErrorAt&)>& f);

// Bitwise over the compared fields, any two NaN alike. Elements that hold `first_poison` in one and `second_poison` in
// the other were written in neither run.
std::optional<Mismatch> differ(const Comparison& comparison, const std::byte* first, const std::byte* second,
                               const Poison& first_poison, const Poison& second_poison);

}  // namespace hone::judge
