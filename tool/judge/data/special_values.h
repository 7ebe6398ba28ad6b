// Values that ordinary draws never hit: zeros, denormals, huge values, NaN, infinities, integer extremes. Which of them
// are worth a case, where they are put, and what an original that meets one promises.
//
// Only arrays that are drawn by default get them: init() says what data are like. One array holds one such value at a
// time (the small ones excepted: of an odd round their zeros have the other sign), in its first element, its last,
// among its last few (what a vectorized loop leaves to its tail) and anywhere, so that a reduction cannot hide one
// behind another. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/judge/data/case.h"
#include "tool/judge/data/comparison.h"
#include "tool/model/kernel_spec.h"

namespace hone::judge {

struct SpecialElement {
  std::size_t element = 0;
  std::size_t item = 0;  // of the field's
  double value = 0;
};

// What the case puts into a field of array number `index`.
std::vector<SpecialElement> special_elements(const Parameter& parameter, const Field& field, const Case& c,
                                             unsigned index);

// "nan", "the largest value"; "" for none.
std::string special_name(const SpecialValues& special);

// "nan in x[7]"; "" for an ordinary case.
std::string special_words(const KernelData& spec, const Case& c);

// Cases like `like`, a few or many; their seeds are still to be set. Extremes of integers are apart: where arithmetic
// overflows, the original has none but undefined behavior to show.
enum class SpecialScope { few, many };
std::vector<SpecialValues> special_values(const KernelData& spec, const Case& like, SpecialScope scope,
                                          bool finite_math);
std::vector<SpecialValues> integer_extremes(const KernelData& spec, const Case& like);

// The largest finite value that Special::largest puts into an element of the type.
double largest_value(const ScalarType& type);

// What else is known of an element that the original gives one way. truth: in higher precision, rounded to its type.
// flipped: with the zeros' signs turned. up, down: when it rounds so. farther: with a larger special value.
struct OtherAnswers {
  std::optional<double> truth, flipped, up, down, farther;
};

// The candidate gives something else than the original. Is that in doubt?
//   small    an infinity whose sign is that of a zero may be any, or NaN
//   all      where the truth is a number and the original gives none, it overflowed on its way: right is what is near
//            the truth, or no number either; where the truth is another infinity or NaN, that
//   all      a number as near to the truth as the original's is right: the original's sums may have lost digits
//   all      where no truth is to be had: a number within four times what the original's own rounding moves its answer;
//            no number where the original has none when it rounds the other way
//   huge     where nothing is known, or even the truth overflowed, a number is right, too; where nothing is known,
//            NaN may stand for an infinity (the order of what overflows)
//   largest  a number not far below `greatest`, the type's largest, may be an infinity, or NaN, which two infinities
//            of partial sums make: the order of a sum decides
//   square_overflows  no number is right, too, where the original gives none for a larger value of that kind
bool may_be_another(Special kind, const ErrorAt& at, const OtherAnswers& others, double greatest);

// One output of the original on the same data without and with the special value. Is what became of it worth anything?
// nan: an element became NaN, and none became anything else (an original whose comparisons a NaN leads astray promises
// nothing; one whose text asks for NaN promises all, and is not asked here).  square_overflows, largest: something of
// that order came through.  Others: yes.
struct Promise {
  bool kept = false;
  bool astray = false;
};
// The kinds of which a number must come through.
constexpr bool lets_through(Special kind) {
  return kind == Special::square_overflows || kind == Special::largest;
}
Promise promise_of(const SpecialValues& special, const Comparison& comparison, const std::byte* ordinary,
                   const std::byte* with_special);

}  // namespace hone::judge
