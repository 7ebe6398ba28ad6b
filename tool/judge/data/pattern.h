// Whole arrays of data that ordinary draws never look like: magnitudes far from one, denormals, ties, sorted runs,
// values beside the constants that the original's text names, small integers for which floating arithmetic is exact.
//
// A pattern changes what arrays hold, never their sizes. Where init() says what data are like, patterns keep to its
// range, or leave the array as it is; what it says is sorted stays so, and gets ties. Pure: one seed gives one array.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/model/kernel_spec.h"

namespace hone::judge {

struct Case;

enum class PatternKind {
  none,
  magnitudes,    // ±2^low … ±2^high, logarithmically uniform, of what is floating
  denormals,     // of what is floating
  wide,          // integers up to 2^high in magnitude, logarithmically uniform
  few,           // two to four values
  equal,         // one value
  runs,          // of one value each
  ascending,     // sorted up
  descending,    // sorted down
  one_fault,     // sorted either way, but for one element
  near_sorted,   // either way, but for neighbors: looked at here and there, it seems to be sorted
  alike,         // each array the same values, the longer ones with some repeated, or with one element changed
  copies,        // the shortest array again and again in longer ones, every second time with one element changed
  closed,        // the last element is the first
  signs,         // a value, zero, and the value with the other sign
  offset,        // close together, and far from zero as far as the range goes
  periodic,      // two to eight values in turn
  signed_zeros,  // zeros of either sign among others
  only_zeros,    // zeros of either sign alone
  positive,      // of one sign
  zero_line,     // zeros in a row or a column of what is stored by rows
  ends,          // the least and the largest of what the type holds, of integers
  limits,        // runs of the least and of the largest value that is drawn
  corner,        // all of an array at one of the two, each array by chance
  constants,     // what the original's text names, and what is right beside it
  exact,         // small integers, of what is floating
  whole,         // the same for their ties: no arithmetic need be exact on them
};

struct Pattern {
  PatternKind kind = PatternKind::none;
  int parameter = -1;  // -1: all arrays that are drawn
  double low = 0, high = 0;
  bool integers_only = false;     // what is floating is drawn as ever
  bool nudged = false;            // each floating value by one unit in the last place
  std::vector<double> constants;  // of the kind that has them; of `equal` the value, where the array may hold it
  std::size_t width = 0;          // of a row, where a line is zero
  bool is_column = false;         // that line, else it is a row

  bool any() const { return kind != PatternKind::none; }
  bool operator==(const Pattern&) const = default;
};

// Is the array number `index` drawn by the pattern, as far as its init() allows?
bool is_patterned(const Parameter& parameter, const Pattern& pattern, unsigned index);

// "equal values in x"; "" for none. Without the where and how much: "equal values".
std::string pattern_words(const KernelData& spec, const Pattern& pattern);
std::string pattern_name(PatternKind kind);

// Ties, runs and orders: those that tell most, or all.
std::vector<Pattern> orders(const KernelData& spec, bool all);
// For many elements: equal values of several kinds, few, and sorted ones; of integers, where some arrays hold such.
// Equal and sorted floats are where long sums lose most: where the truth is not known, they are those whose sums are
// exact.
std::vector<Pattern> crowds(const KernelData& spec, bool knows_truth);

// Arrays at the ends of their ranges, several times with other ends.
std::vector<Pattern> corners(const KernelData& spec, bool knows_truth);

// Lines of zeros, whose width is one of the case's integers.
std::vector<Pattern> zero_lines(const KernelData& spec, const Case& c);

// The widest magnitudes, for arrays together (and one by one): from the widest on, the first that the original bears is
// worth a case.
std::vector<Pattern> full_magnitudes(const KernelData& spec, int parameter);
// Magnitudes of one order, above one and below; `more` of them by chance.
std::vector<Pattern> bands(const KernelData& spec, unsigned more, std::uint64_t seed);
// Integers of all widths, from the widest on: the first that the original bears is worth a case.
std::vector<Pattern> wide_integers(const KernelData& spec);

// Does an array that is read hold such?
bool holds(const KernelData& spec, bool floating);
// Does one that is drawn by default?
bool draws(const KernelData& spec, bool floating);

}  // namespace hone::judge
