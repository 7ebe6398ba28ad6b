#include "tool/evaluate/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <chrono>
#include <cmath>

#include "tool/evaluate/failure_text.h"
#include "tool/evaluate/random.h"
#include "tool/evaluate/scalar.h"

namespace hone::evaluate {
namespace {

Result<void> reserve(MemoryFile& file, std::size_t bytes, MemoryFile::Access access) {
  constexpr std::size_t least = 256u << 10;
  if (file.data() && file.size() >= bytes && file.size() <= std::max(4 * bytes, 16 * least)) return {};
  file = MemoryFile();  // before the next is made: they may be large
  HONE_TRY(file, MemoryFile::create(std::max(bytes, least), access));
  return {};
}

bool has_floating(const ElementType& element) {
  return std::ranges::any_of(element.fields, [](const Field& f) { return f.type.kind == ScalarKind::floating; });
}

}  // namespace

Result<void> Bench::set_up(const Case& c, bool overlap) {
  mapped_.clear();
  case_ = c;
  overlap_ = overlap;
  layout_ = lay_out(*spec_, c, overlap);
  data_elements_ = 0;
  for (std::size_t i = 0; i < spec_->parameters.size(); ++i)
    if (spec_->parameters[i].pointer && has_floating(spec_->parameters[i].element))
      data_elements_ += c.arrays[i].elements;
  if (spec_->result) result_array_ = {{{0, 1}}, 1, spec_->result->size};
  HONE_CHECK(reserve(inputs_, layout_.input_bytes, MemoryFile::Access::read_only));
  HONE_CHECK(reserve(reference_outputs_, layout_.output_bytes, MemoryFile::Access::read_write));
  HONE_CHECK(reserve(candidate_outputs_, layout_.output_bytes, MemoryFile::Access::read_write));
  place(Ends::start);
  return {};
}

void Bench::place(Ends ends) {
  ends_ = ends;
  place_inputs(*spec_, case_, layout_, ends, inputs_);
  checksum_ = checksum(layout_, inputs_);
}

tl::expected<Outcome, Misdeed> Bench::run(Runner& runner, Side side, double timeout_seconds, std::uint64_t poison_key,
                                          bool heap) {
  const auto misdeed = [&](const RunnerFailure& failure) {
    const std::string summary = sanitizer_summary(failure.text);
    std::string sentence = summary.empty() ? describe(failure, *spec_, case_, layout_, ends_,
                                                      heap ? std::span<const std::uint64_t>() : runner.addresses(0))
                                           : summary;
    return tl::unexpected(Misdeed{sentence + where(), failure.text, failure.kind == RunnerFailure::Kind::timed_out});
  };
  const MemoryFile& file = outputs(side);
  place_outputs(*spec_, case_, layout_, ends_, file, poison_key);
  if (std::ranges::find(mapped_, &runner) == mapped_.end() || runner.addresses(0).empty()) {
    if (auto mapped = runner.map(0, layout_.regions, inputs_.descriptor(), file.descriptor()); !mapped)
      return misdeed(mapped.error());
    mapped_.push_back(&runner);
  }
  if (auto bound = runner.bind(0, bindings_of(*spec_, layout_, ends_), case_.scalars); !bound)
    return misdeed(bound.error());
  CallPlan plan{.heap = heap, .result_poison = static_cast<unsigned char>(mix(poison_key))};
  const auto start = std::chrono::steady_clock::now();
  auto result = runner.call(0, plan, timeout_seconds);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
  if (!result) return misdeed(result.error());
  if (const std::string outside = disturbed_canary(*spec_, case_, layout_, ends_, file); !outside.empty())
    return tl::unexpected(Misdeed{outside + where(), "", false});
  if (checksum(layout_, inputs_) != checksum_) return tl::unexpected(Misdeed{"changed an input" + where(), "", false});
  return Outcome{std::move(*result), taken.count(), poison_key};
}

Comparison Bench::comparison(std::size_t output) const {
  if (output == spec_->parameters.size())
    return {.element = *spec_->result,
            .tolerance = spec_->result_tolerance,
            .array = result_array_,
            .data_elements = data_elements_,
            .special = case_.special};
  const Parameter& parameter = spec_->parameters[output];
  return {.element = parameter.element,
          .tolerance = parameter.tolerance,
          .array = case_.arrays[output],
          .data_elements = data_elements_,
          .special = case_.special};
}

template <class Function>
void Bench::each_output(Function&& f) const {
  for (std::size_t i = 0; i < spec_->parameters.size(); ++i)
    if (spec_->parameters[i].pointer && spec_->parameters[i].role != Role::in) f(i);
  if (spec_->result) f(spec_->parameters.size());
}

std::string Bench::where() const {
  std::string text = fmt::format(" ({}", case_.label);
  if (overlap_) text += ", overlapping arguments";
  if (case_.special != Special::none)
    text += fmt::format(", with {} values", case_.special == Special::small  ? "small"
                                            : case_.special == Special::huge ? "huge"
                                                                             : "NaN and infinite");
  return text + fmt::format(", seed {})", case_.seed);
}

std::string Bench::name_of(std::size_t output, const Mismatch& mismatch) const {
  if (output == spec_->parameters.size())
    return mismatch.field.empty() ? "the return value" : "the return value's " + mismatch.field;
  return element_name(spec_->parameters[output], case_.arrays[output], static_cast<long long>(mismatch.element),
                      mismatch.field);
}

std::string Bench::compare(const Outcome& expected, Ends expected_ends, const Outcome& got,
                           const Scales& scales) const {
  std::string sentence;
  each_output([&](std::size_t output) {
    if (!sentence.empty()) return;
    const bool is_result = output == spec_->parameters.size();
    Comparison comparison = this->comparison(output);
    if (output < scales.size()) comparison.scales = scales[output];
    const std::byte* want =
        is_result ? expected.result.data() : reference_outputs_.data() + layout_.places[output].at(expected_ends);
    const std::byte* have =
        is_result ? got.result.data() : candidate_outputs_.data() + layout_.places[output].at(ends_);
    const auto mismatch = evaluate::compare(comparison, want, have);
    if (!mismatch) return;
    const bool unwritten = !is_result && spec_->parameters[output].role == Role::out &&
                           poison_of(*spec_, static_cast<unsigned>(output), got.poison_key)
                               .covers(have + mismatch->offset, mismatch->offset, mismatch->bytes);
    const std::string name = name_of(output, *mismatch);
    sentence = unwritten ? fmt::format("{} was not written", name)
                         : fmt::format("{} is {}, expected {}", name, mismatch->got, mismatch->expected);
    if (mismatch->count > 1) sentence += fmt::format(", and {} more are wrong", mismatch->count - 1);
    sentence += where();
  });
  return sentence;
}

Bench::Snapshot Bench::snapshot(Side side, const Outcome& outcome) const {
  const MemoryFile& file = outputs(side);
  return {{file.data(), file.data() + layout_.output_bytes}, outcome};
}

std::string Bench::differences(const std::byte* first, const Outcome& first_outcome, const std::byte* second,
                               const Outcome& second_outcome) const {
  std::string sentence;
  each_output([&](std::size_t output) {
    if (!sentence.empty()) return;
    const bool is_result = output == spec_->parameters.size();
    const ElementType& element = is_result ? *spec_->result : spec_->parameters[output].element;
    const auto poison = [&](const Outcome& outcome) {
      return is_result ? Poison(element, 0) : poison_of(*spec_, static_cast<unsigned>(output), outcome.poison_key);
    };
    const std::byte* one = is_result ? first_outcome.result.data() : first + layout_.places[output].at(ends_);
    const std::byte* other = is_result ? second_outcome.result.data() : second + layout_.places[output].at(ends_);
    const auto mismatch =
        evaluate::differ(comparison(output), one, other, poison(first_outcome), poison(second_outcome));
    if (mismatch)
      sentence = fmt::format("{} was {} in one run and {} in another on the same data{}", name_of(output, *mismatch),
                             mismatch->expected, mismatch->got, where());
  });
  return sentence;
}

std::string Bench::differ(const Snapshot& earlier, const Outcome& later) const {
  return differences(earlier.outputs.data(), earlier.outcome, candidate_outputs_.data(), later);
}

std::string Bench::differ_from_reference(const Outcome& reference, const Outcome& candidate) const {
  return differences(reference_outputs_.data(), reference, candidate_outputs_.data(), candidate);
}

Bench::Scales Bench::scales(const Outcome& expected) const {
  Scales scales(spec_->parameters.size() + 1);
  each_output([&](std::size_t output) {
    const bool is_result = output == spec_->parameters.size();
    Comparison comparison = this->comparison(output);
    std::optional<Poison> poison;
    if (!is_result) poison = poison_of(*spec_, static_cast<unsigned>(output), expected.poison_key);
    comparison.unwritten = poison ? &*poison : nullptr;
    scales[output] = scales_of(
        comparison, is_result ? expected.result.data() : reference_outputs_.data() + layout_.places[output].at(ends_));
  });
  return scales;
}

namespace {

// Zeros, or in each field its mean: what a lazy candidate might write.
std::vector<std::byte> fake_of(const Comparison& comparison, const std::byte* expected, bool constant) {
  std::vector<std::byte> fake(expected, expected + comparison.array.bytes);
  const std::size_t size = comparison.element.size;
  for (const Field& field : comparison.element.fields)
    visit_scalar(field.type, [&]<class T>(Tag<T>) {
      double sum = 0;
      const std::size_t count = comparison.array.elements * field.count;
      const auto each = [&](auto&& f) {
        for (std::size_t i = 0; i < comparison.array.elements; ++i)
          for (std::size_t k = 0; k < field.count; ++k) f(i * size + field.offset + k * sizeof(T));
      };
      if (constant) each([&](std::size_t at) { sum += as_double(load<T>(expected + at)); });
      const T value = from_double<T>(count ? sum / static_cast<double>(count) : 0);
      each([&](std::size_t at) { store(fake.data() + at, value); });
    });
  return fake;
}

}  // namespace

std::string Bench::accepts_fake(const Outcome& expected, const Scales& scales, bool constant) const {
  std::string sentence;
  each_output([&](std::size_t output) {
    const bool is_result = output == spec_->parameters.size();
    Comparison comparison = this->comparison(output);
    if (output < scales.size()) comparison.scales = scales[output];
    if (!sentence.empty() || comparison.array.elements == 0 || (constant && comparison.array.elements < 3)) return;
    const std::byte* want =
        is_result ? expected.result.data() : reference_outputs_.data() + layout_.places[output].at(ends_);
    const std::vector<std::byte> fake = fake_of(comparison, want, constant);
    Comparison exact = comparison;
    const Tolerance strict{.exact = true};
    const Comparison strictly{.element = comparison.element, .tolerance = strict, .array = comparison.array};
    if (!evaluate::compare(strictly, want, fake.data())) return;  // it is what it should be
    if (!evaluate::compare(comparison, want, fake.data()))
      sentence = fmt::format("the tolerance of {} would accept {}",
                             is_result ? "the return value" : spec_->parameters[output].name,
                             constant ? "a constant array" : "all zeros");
  });
  return sentence;
}

bool Bench::all_zero(const Outcome& expected) const {
  bool zero = true;
  each_output([&](std::size_t output) {
    const bool is_result = output == spec_->parameters.size();
    const Comparison comparison = this->comparison(output);
    const std::byte* want =
        is_result ? expected.result.data() : reference_outputs_.data() + layout_.places[output].at(ends_);
    const Tolerance strict{.exact = true};
    const Comparison strictly{.element = comparison.element, .tolerance = strict, .array = comparison.array};
    if (comparison.array.elements && evaluate::compare(strictly, want, fake_of(comparison, want, false).data()))
      zero = false;
  });
  return zero;
}

bool Bench::keeps_not_finite(const Outcome& expected) const {
  bool kept = false;
  each_output([&](std::size_t output) {
    const bool is_result = output == spec_->parameters.size();
    const Comparison comparison = this->comparison(output);
    const std::byte* from =
        is_result ? expected.result.data() : reference_outputs_.data() + layout_.places[output].at(ends_);
    const auto poison =
        is_result ? std::nullopt : std::optional(poison_of(*spec_, static_cast<unsigned>(output), expected.poison_key));
    for (const Field& field : comparison.element.fields)
      visit_scalar(field.type, [&]<class T>(Tag<T>) {
        if constexpr (is_floating<T>)
          for (std::size_t i = 0; i < comparison.array.elements * field.count && !kept; ++i) {
            const std::size_t at =
                i / field.count * comparison.element.size + field.offset + i % field.count * sizeof(T);
            if (poison && poison->covers(from + at, at, sizeof(T))) continue;
            kept = !std::isfinite(as_double(load<T>(from + at)));
          }
      });
  });
  return kept;
}

}  // namespace hone::evaluate
