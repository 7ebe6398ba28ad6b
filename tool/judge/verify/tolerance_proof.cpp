#include "tool/judge/verify/tolerance_proof.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tool/judge/data/elements.h"
#include "tool/judge/data/input_data.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {

// The first elements of a view, as a view of its own. What the comparison rejects of them it rejects of the whole, and
// that is what happens to most forgeries: a large array takes the time of a small one.
class ToleranceProof::Head {
 public:
  // As long as `whole`.
  explicit Head(const View& whole) : array_(cut(whole.comparison.array, whole.comparison.element.size)) {
    if (!array_) return;
    const Comparison& all = whole.comparison;
    // The magnitudes are those of the whole.
    Comparison comparison{.element = all.element,
                          .tolerance = all.tolerance,
                          .array = *array_,
                          .data_elements = all.data_elements,
                          .scales = all.scales.empty() ? scales_of(all, whole.data) : all.scales,
                          .special = all.special,
                          .unwritten = all.unwritten,
                          .got_unwritten = all.got_unwritten,
                          .ordinary = all.ordinary,
                          .pardons = all.pardons};
    view_.emplace(View{whole.output, whole.name, std::move(comparison), whole.data});
  }
  Head(const Head&) = delete;

  const View* view() const { return view_ ? &*view_ : nullptr; }  // null: it would be all of it

 private:
  // nullopt: it is short enough as it is.
  static std::optional<Array> cut(Array array, std::size_t element_bytes) {
    constexpr std::size_t most_elements = 1u << 16;
    std::size_t row = 1;  // elements of one in the outermost dimension
    for (std::size_t d = 1; d < array.spans.size(); ++d) row *= static_cast<std::size_t>(array.spans[d].size());
    const auto rows = static_cast<long long>(std::max<std::size_t>(most_elements / std::max<std::size_t>(row, 1), 1));
    Span& outermost = array.spans.front();
    if (outermost.length <= rows) return std::nullopt;
    outermost.length = rows;
    outermost.room = 0;
    array.elements = static_cast<std::size_t>(outermost.size()) * row;
    array.bytes = array.elements * element_bytes;
    return array;
  }

  const std::optional<Array> array_;
  std::optional<View> view_;
};

namespace {

using Bytes = std::vector<std::byte>;

constexpr double too_much = 1.2;        // by which one element is scaled
constexpr double plainly_wrong = 1e-2;  // of the magnitude: what every tolerance must show

Bytes copy_of(const View& view) {
  return {view.data, view.data + view.comparison.array.bytes};
}

// Of each field the mean over the compared elements.
std::vector<double> means_of(const View& view) {
  std::vector<double> means;
  for (const Field& field : view.comparison.element.fields)
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      double sum = 0;
      std::size_t count = 0;
      each_scalar(view.comparison, field, [&](std::size_t at, std::size_t) {
        sum += as_double(load<T>(view.data + at));
        ++count;
      });
      means.push_back(count ? sum / static_cast<double>(count) : 0);
    });
  return means;
}

// In each field one value.
Bytes flat(const View& view, const std::vector<double>& values) {
  Bytes forged = copy_of(view);
  for (std::size_t f = 0; f < view.comparison.element.fields.size(); ++f) {
    const Field& field = view.comparison.element.fields[f];
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      const T value = from_double<T>(values[f]);
      each_scalar(view.comparison, field, [&](std::size_t at, std::size_t) { store(forged.data() + at, value); });
    });
  }
  return forged;
}

Bytes zeros(const View& view) {
  return flat(view, std::vector<double>(view.comparison.element.fields.size(), 0));
}

bool is_the_same(const View& view, const Bytes& forged) {
  const Tolerance exact{.exact = true};
  const Comparison strictly{.element = view.comparison.element, .tolerance = exact, .array = view.comparison.array};
  return !compare(strictly, view.data, forged.data());
}

bool passes(const View& view, const Bytes& forged) {
  return !compare(view.comparison, view.data, forged.data());
}

bool is_all_zero(const View& view) {
  return is_the_same(view, zeros(view));
}

// One digit, rounded down: a figure that a user can put into tolerance().
double rounded_down(double value) {
  if (!(value > 0)) return 0;
  const double unit = std::pow(10.0, std::floor(std::log10(value)));
  return std::floor(value / unit * 0.999) * unit;
}

// The widest tolerance that rejects the forgery.
std::string advice(const View& view, const Bytes& forged) {
  double rtol = 0, atol = 0;
  each_error(view.comparison, view.data, forged.data(), [&](const ErrorAt& at) {
    const double error = std::fabs(at.got - at.expected);
    if (!std::isfinite(error)) return;
    atol = std::max(atol, error);
    if (at.magnitude > 0) rtol = std::max(rtol, (error - at.atol) / at.magnitude);
  });
  const Tolerance& given = view.comparison.tolerance;
  if (rounded_down(rtol) > 0) return fmt::format("an rtol of at most {:.1g} would reject that", rounded_down(rtol));
  if (given.atol && rounded_down(atol) > 0)
    return fmt::format("an atol of at most {:.1g} would reject that", rounded_down(atol));
  return "no rtol would reject that";
}

std::string accusation(const Bench& bench, const View& view, const std::string& what, const Bytes& forged) {
  return fmt::format("the tolerance of {} would accept {} ({}): {}", view.name, what, bench.present().label,
                     advice(view, forged));
}

double worst_error(const View& view, const Bytes& forged) {
  double worst = 0;
  each_error(view.comparison, view.data, forged.data(), [&](const ErrorAt& at) {
    const double error = std::fabs(at.got - at.expected);
    if (std::isfinite(error) && at.magnitude > 0) worst = std::max(worst, error / at.magnitude);
  });
  return worst;
}

// Where the compared scalars of a field lie, finite ones alone.
std::vector<std::size_t> finite_scalars(const View& view, std::size_t field) {
  std::vector<std::size_t> offsets;
  each_error(view.comparison, view.data, view.data, [&](const ErrorAt& at) {
    if (at.field == field && std::isfinite(at.expected)) offsets.push_back(at.offset);
  });
  return offsets;
}

}  // namespace

std::string ToleranceProof::whole_forgeries(const Bench& bench, const View& view, const Head& head) {
  using Forge = std::function<Bytes(const View&)>;
  const auto accepted = [&](const std::string& what, const Forge& forge) -> std::string {
    if (const View* first = head.view(); first && !passes(*first, forge(*first))) return "";
    const Bytes forged = forge(view);
    if (is_the_same(view, forged) || !passes(view, forged)) return "";
    return accusation(bench, view, what, forged);
  };
  const Array& array = view.comparison.array;
  if (std::string text = accepted("all zeros", zeros); !text.empty()) return text;
  if (array.elements >= 3) {
    const std::vector<double> means = means_of(view);
    const auto constant = [&](const View& of) { return flat(of, means); };
    if (std::string text = accepted("a constant array", constant); !text.empty()) return text;
  }
  for (unsigned i = 0; i < spec_.parameters.size(); ++i) {
    const Parameter& parameter = spec_.parameters[i];
    const bool itself = i == view.output;
    if (!parameter.pointer || parameter.element.fields != view.comparison.element.fields ||
        parameter.element.size != view.comparison.element.size || bench.present().arrays[i].bytes < array.bytes ||
        (itself ? parameter.role != Role::inout : parameter.role != Role::in))
      continue;
    Bytes drawn(bench.present().arrays[i].bytes);
    draw_array(parameter, bench.present(), i, drawn.data());
    const auto copy = [&](const View& of) {
      return Bytes(drawn.begin(), drawn.begin() + static_cast<std::ptrdiff_t>(of.comparison.array.bytes));
    };
    const std::string what = itself ? "what " + parameter.name + " held before" : "a copy of " + parameter.name;
    if (std::string text = accepted(what, copy); !text.empty()) return text;
  }
  return "";
}

void ToleranceProof::put(const Bench& bench, const View& view, const char* what, const Bytes& forged) {
  const auto key = std::pair(view.output, std::string(what));
  const auto known = overlooked_.find(key);
  if ((known != overlooked_.end() && known->second.empty()) || worst_error(view, forged) < plainly_wrong) return;
  if (!passes(view, forged))
    overlooked_[key] = "";
  else if (known == overlooked_.end())
    overlooked_[key] = accusation(bench, view, what, forged);
}

void ToleranceProof::slight_errors(const Bench& bench, const View& view, const Outputs* smaller) {
  for (std::size_t f = 0; f < view.comparison.element.fields.size(); ++f) {
    const Field& field = view.comparison.element.fields[f];
    if (field.type.kind != ScalarKind::floating) continue;
    const std::vector<std::size_t> at = finite_scalars(view, f);
    if (at.empty()) continue;
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      const auto value = [&](std::size_t offset) { return as_double(load<T>(view.data + offset)); };
      const std::size_t largest = *std::ranges::max_element(at, {}, [&](std::size_t o) { return std::fabs(value(o)); });
      Bytes forged = copy_of(view);
      store(forged.data() + largest, from_double<T>(too_much * value(largest)));
      put(bench, view, "one element that is a fifth too large", forged);
      if (at.size() < 2) return;
      forged = copy_of(view);
      store(forged.data() + at.back(), from_double<T>(value(at[at.size() - 2])));
      put(bench, view, "a last element that is that before it", forged);
      store(forged.data() + at.back(), from_double<T>(value(at.front())));
      store(forged.data() + at.front(), from_double<T>(value(at.back())));
      put(bench, view, "the first and the last element swapped", forged);
    });
  }
  if (smaller && smaller->bytes[view.output].size() == view.comparison.array.bytes)
    put(bench, view, "the result of one element less", smaller->bytes[view.output]);
}

void ToleranceProof::look_for_numbers(const View& view) {
  if (const auto known = numbers_.find(view.name); known != numbers_.end() && known->second) return;
  each_error(view.comparison, view.data, view.data, [&](const ErrorAt& at) {
    const Field& field = view.comparison.element.fields[at.field];
    const auto& poison = view.comparison.unwritten;
    if (poison && poison->covers(view.data + at.offset, at.offset, field.type.size)) return;
    numbers_[view.name] |= !std::isnan(at.expected);
  });
}

std::string ToleranceProof::never_a_number() const {
  for (const auto& [name, any] : numbers_)
    if (!any) return name;
  return "";
}

std::string ToleranceProof::examine(const Bench& bench, const Outcome& expected, const Bench::Scales& scales) {
  for (const View& view : bench.views(Bench::Side::reference, expected, scales)) {
    if (view.comparison.array.elements == 0) continue;
    const Head head(view);
    if (all_zero_) all_zero_ = (!head.view() || is_all_zero(*head.view())) && is_all_zero(view);
    if (!has_floating(view.comparison.element)) continue;
    if (head.view()) look_for_numbers(*head.view());
    look_for_numbers(view);
    if (bench.present().declared())
      if (std::string text = whole_forgeries(bench, view, head); !text.empty()) return text;
  }
  return "";
}

void ToleranceProof::look_for_slight_errors(const Bench& bench, const Outcome& expected, const Bench::Scales& scales,
                                            const Outputs* smaller) {
  for (const View& view : bench.views(Bench::Side::reference, expected, scales))
    if (view.comparison.array.elements > 0 && has_floating(view.comparison.element))
      slight_errors(bench, view, smaller);
}

std::string ToleranceProof::overlooked() const {
  for (const auto& [forgery, sentence] : overlooked_)
    if (!sentence.empty()) return sentence;
  return "";
}

}  // namespace hone::judge
