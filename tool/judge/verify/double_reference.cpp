#include "tool/judge/verify/double_reference.h"

#include <algorithm>
#include <cmath>

#include "tool/judge/data/elements.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

constexpr double believable = 1000;  // tolerances between the original and the truth …
constexpr double plausible = 0.05;   // … and share of the magnitude

// The case in the wide spec's types; the data are still drawn in the narrow ones.
Case widened(const KernelData& spec, const KernelData& wide, const Case& c) {
  Case result = c;
  result.drawn_as = &spec;
  for (std::size_t i = 0; i < wide.parameters.size(); ++i) {
    const Parameter &from = spec.parameters[i], &to = wide.parameters[i];
    result.arrays[i].bytes = result.arrays[i].elements * to.element.size;
    if (!from.pointer && scalar_type(from) != scalar_type(to)) {
      result.scalars[i] = {};
      convert(scalar_type(from), bytes_of(c.scalars[i]), scalar_type(to), bytes_of(result.scalars[i]));
    }
  }
  return result;
}

bool same_shape(const ElementType& narrow, const ElementType& wide) {
  return std::ranges::equal(narrow.fields, wide.fields, [](const Field& a, const Field& b) {
    return a.count == b.count &&
           (a.type == b.type || (a.type.kind == ScalarKind::floating && b.type.kind == ScalarKind::floating));
  });
}

bool same_shape(const KernelData& narrow, const KernelData& wide) {
  const auto fits = [](const Parameter& a, const Parameter& b) {
    return a.pointer == b.pointer && a.role == b.role && same_shape(a.element, b.element);
  };
  return std::ranges::equal(narrow.parameters, wide.parameters, fits) &&
         narrow.result.has_value() == wide.result.has_value() &&
         (!narrow.result || same_shape(*narrow.result, *wide.result));
}

bool integers_agree(const Comparison& comparison, const std::byte* expected, const std::byte* got) {
  bool agree = true;
  for (const Field& field : comparison.element.fields)
    if (field.type.kind != ScalarKind::floating)
      each_scalar(comparison, field, [&](std::size_t at, std::size_t) {
        agree &= std::memcmp(expected + at, got + at, field.type.size) == 0 ||
                 written_by_neither(comparison, at, field.type.size, expected, got);
      });
  return agree;
}

}  // namespace

DoubleReference::DoubleReference(const KernelData& spec, const KernelData& wide, const os::Clock& clock, Ground& ground,
                                 Start start)
    : spec_(spec), wide_(wide), start_(std::move(start)), bench_(wide, clock, ground) {
  failed_ = !same_shape(spec, wide);
}

Result<std::optional<Outputs>> DoubleReference::truth(const Case& c, double timeout_seconds, std::uint64_t poison_key) {
  if (failed_) return std::optional<Outputs>();
  if (!runner_) {
    HONE_TRY(runner_, start_());
    failed_ = !runner_->ready();
    if (failed_) return std::optional<Outputs>();
  }
  failed_ = !bench_.set_up(widened(spec_, wide_, c));
  if (failed_) return std::optional<Outputs>();
  const auto run = bench_.run(*runner_, Bench::Side::reference, timeout_seconds, poison_key);
  failed_ = !run;
  if (failed_) return std::optional<Outputs>();
  return std::optional<Outputs>(bench_.outputs(Bench::Side::reference, *run));
}

void DoubleReference::rest() {
  runner_.reset();
  bench_.release_memory();
}

double DoubleReference::true_value(std::size_t output, const ElementType& narrow, const ErrorAt& at,
                                   const Outputs& truth) const {
  const ElementType& wide = output < wide_.parameters.size() ? wide_.parameters[output].element : *wide_.result;
  const Field &from = narrow.fields[at.field], &to = wide.fields[at.field];
  const std::size_t item = (at.offset - at.element * narrow.size - from.offset) / from.type.size;
  const std::byte* bytes = truth.bytes[output].data() + at.element * wide.size + to.offset + item * to.type.size;
  return visit_scalar(to.type, [&]<class T>(Tag<T>) { return as_double(load<T>(bytes)); });
}

std::optional<double> DoubleReference::excuse(const std::vector<View>& expected, const std::vector<View>& got,
                                              const Outputs& truth) const {
  bool excused = true;
  double worst = 0;
  for (std::size_t i = 0; i < expected.size() && excused; ++i) {
    Comparison comparison = expected[i].comparison;
    comparison.got_unwritten = got[i].comparison.unwritten;
    excused = integers_agree(comparison, expected[i].data, got[i].data);
    each_error(comparison, expected[i].data, got[i].data, [&](const ErrorAt& at) {
      const double difference = std::fabs(at.got - at.expected);
      if (difference <= at.allowed || (std::isnan(at.expected) && std::isnan(at.got)) || at.expected == at.got) return;
      const double true_value = this->true_value(expected[i].output, comparison.element, at, truth);
      const double own = std::fabs(at.expected - true_value), error = std::fabs(at.got - true_value);
      const bool believed = own <= believable * at.allowed && own <= plausible * at.magnitude;
      excused &= believed && error <= std::max(at.allowed, own);  // false for a NaN among them
      worst = std::max(worst, difference / at.allowed);
    });
  }
  return excused ? std::optional(worst) : std::nullopt;
}

bool DoubleReference::is_exact(const std::vector<View>& expected, const Outputs& truth) const {
  bool exact = true;
  for (const View& view : expected) {
    Comparison comparison = view.comparison;
    comparison.got_unwritten = comparison.unwritten;  // it is compared with itself
    each_error(comparison, view.data, view.data, [&](const ErrorAt& at) {
      exact &= true_value(view.output, comparison.element, at, truth) == at.expected;
    });
  }
  return exact;
}

double DoubleReference::worst_error(const std::vector<View>& expected, const std::vector<View>& got,
                                    const Outputs& truth) const {
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    each_error(expected[i].comparison, expected[i].data, got[i].data, [&](const ErrorAt& at) {
      const double error =
          std::fabs(at.got - true_value(expected[i].output, expected[i].comparison.element, at, truth));
      if (at.allowed > 0 && std::isfinite(error)) worst = std::max(worst, error / at.allowed);
    });
  return worst;
}

double worst_error(const std::vector<View>& expected, const std::vector<View>& got) {
  double worst = 0;
  for (std::size_t i = 0; i < expected.size(); ++i)
    each_error(expected[i].comparison, expected[i].data, got[i].data, [&](const ErrorAt& at) {
      const double error = std::fabs(at.got - at.expected);
      if (at.allowed > 0 && std::isfinite(error)) worst = std::max(worst, error / at.allowed);
    });
  return worst;
}

}  // namespace hone::judge
