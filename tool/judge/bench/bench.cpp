#include "tool/judge/bench/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "tool/base/random.h"
#include "tool/judge/bench/failure_text.h"
#include "tool/judge/data/elements.h"
#include "tool/judge/data/gaps.h"
#include "tool/judge/data/input_data.h"
#include "tool/judge/data/parallel_blocks.h"
#include "tool/judge/data/scalar.h"
#include "tool/judge/data/special_values.h"
#include "tool/model/harness_data.h"
#include "tool/model/workload_kernel.h"

namespace hone::judge {
namespace {

Result<void> reserve(SharedMemory& file, std::size_t bytes, SharedMemory::Access access, Ground& ground) {
  constexpr std::size_t least = 256u << 10;
  if (file.data() && file.size() >= bytes && file.size() <= std::max(4 * bytes, 16 * least)) return {};
  file = SharedMemory();  // before the next is made: they may be large
  HONE_TRY(file, SharedMemory::create(std::max(bytes, least), access, ground));
  return {};
}

// An element that is put back would break an order, or stand there twice.
bool is_ordered(const Parameter& parameter) {
  return parameter.init && (parameter.init->distribution == Distribution::sorted ||
                            parameter.init->distribution == Distribution::permutation);
}

constexpr double least_rtol = 1e-6;  // under which only the very same arithmetic passes
const Tolerance exactly{.exact = true};

}  // namespace

Result<void> Bench::set_up(const Case& c, Overlap overlap) {
  mapped_.clear();
  case_ = c;
  overlap_ = overlap;
  layout_ = lay_out(*spec_, c, overlap, ground_->traits().guard);
  data_elements_ = 0;
  for (std::size_t i = 0; i < spec_->parameters.size(); ++i)
    if (spec_->parameters[i].pointer && has_floating(spec_->parameters[i].element))
      data_elements_ += c.arrays[i].elements;
  if (spec_->result) result_array_ = {{{0, 1}}, 1, spec_->result->size};
  HONE_CHECK(reserve(inputs_, layout_.input_bytes, SharedMemory::Access::read_only, *ground_));
  HONE_CHECK(reserve(reference_outputs_, layout_.output_bytes, SharedMemory::Access::read_write, *ground_));
  HONE_CHECK(reserve(candidate_outputs_, layout_.output_bytes, SharedMemory::Access::read_write, *ground_));
  place(Ends::start);
  return {};
}

void Bench::place(Ends ends) {
  ends_ = ends;
  place_inputs(*spec_, case_, layout_, ends, inputs_);
  checksum_ = checksum(layout_, ends_, inputs_);
}

void Bench::redraw(const Case& c) {
  case_ = c;
  place(Ends::start);
}

bool Bench::change_inputs(std::uint64_t key, Change change) {
  constexpr unsigned changes = 3;
  constexpr std::size_t most = 1u << 16;
  for (unsigned i = 0; i < spec_->parameters.size(); ++i) {
    const Parameter& parameter = spec_->parameters[i];
    const Place& place = layout_.places[i];
    const std::size_t elements = case_.arrays[i].elements, size = parameter.element.size;
    if (place.region < 0 || place.output || elements < 3) continue;
    const bool half = change == Change::half && !is_ordered(parameter) && !case_.given;
    std::byte* const first = inputs_.data() + place.at(ends_);
    std::byte* const last = first + (elements - 1) * size;
    const std::vector<std::byte> kept_first(first, first + size), kept_last(last, last + size);
    const auto count = half ? static_cast<unsigned>(std::min(elements / 2 + 1, most)) : changes;
    mutate_array(parameter, case_, i, first, {count, derive(key, i)});
    if (!half) continue;
    std::ranges::copy(kept_first, first);
    std::ranges::copy(kept_last, last);
  }
  const std::uint64_t before = checksum_;
  checksum_ = checksum(layout_, ends_, inputs_);
  return checksum_ != before;
}

tl::expected<Outcome, Misdeed> Bench::run(Subject& runner, Side side, double timeout_seconds, std::uint64_t poison_key,
                                          runner::Manner manner) {
  const bool heap = runner::on_heap(manner);
  const auto misdeed = [&](const RunnerFailure& failure) {
    const std::string summary = sanitizer_summary(failure.text);
    std::string sentence = summary.empty() ? describe(failure, *spec_, case_, layout_, ends_,
                                                      heap ? std::span<const std::uint64_t>() : runner.addresses(0))
                                           : summary;
    return tl::unexpected(Misdeed{summary.empty() ? code_of(failure) : code_of_report(failure.text), sentence + where(),
                                  failure.text, failure.kind == RunnerFailure::Kind::timed_out});
  };
  ground_->let_timings_pass();
  SharedMemory& file = this->file(side);
  const bool lent = inputs_.is_lent() && !heap;  // copies on a heap are made by the runner
  place_outputs(*spec_, case_, layout_, ends_, file, poison_key);
  const std::uint64_t canary_key = poison_key >> 1;  // the same under both kinds of poison
  const PlacedArrays arrays[] = {{layout_, true, ends_, file}, {layout_, false, ends_, inputs_}};
  for (const PlacedArrays& of_file : arrays) place_canaries(of_file, canary_key);
  if (std::ranges::find(mapped_, &runner) == mapped_.end() || runner.addresses(0).empty()) {
    const auto mapped = runner.map(0, layout_.regions, lent ? inputs_.handle() : inputs_.host_handle(),
                                   lent ? file.handle() : file.host_handle());
    if (!mapped) return misdeed(mapped.error());
    mapped_.push_back(&runner);
  }
  if (auto bound = runner.bind(0, bindings_of(*spec_, layout_, ends_), case_.scalars); !bound)
    return misdeed(bound.error());
  if (lent) {
    inputs_.push(0, layout_.input_bytes);
    file.push(0, layout_.output_bytes);
    if (auto awake = runner.wake(); !awake) return misdeed(awake.error());
  }
  // Not always: what goes wrong only where nothing is overwritten is wrong, too.
  if (const std::uint64_t key = derive(poison_key, 0x1ef7); renews_ && key % 5 != 0)
    if (auto renewed = runner.renew(0, key, true); !renewed) return misdeed(renewed.error());
  CallPlan plan{
      .manner = manner, .result_poison = static_cast<unsigned char>(mix(poison_key)), .watch = runner::Watch::closely};
  const double start = clock_->seconds();
  auto result = runner.call(0, plan, timeout_seconds);
  const double taken = clock_->seconds() - start;
  if (!result) return misdeed(result.error());
  if (lent) {
    inputs_.pull(0, layout_.input_bytes);
    file.pull(0, layout_.output_bytes);
  }
  for (const PlacedArrays& of_file : arrays)
    if (const std::string outside = disturbed_canary(*spec_, case_, of_file, canary_key); !outside.empty())
      return tl::unexpected(Misdeed{DiagnosticCode::call_strays, outside + where(), "", false});
  if (checksum(layout_, ends_, inputs_) != checksum_)
    return tl::unexpected(Misdeed{DiagnosticCode::call_strays, "changed an input" + where(), "", false});
  if (lent && changes_late(file))
    return tl::unexpected(Misdeed{DiagnosticCode::call_leaves,
                                  "goes on working after it has answered: its outputs change" + where(), "", false});
  if (side == Side::reference)
    habits_.add(runner.balance());
  else if (const std::string habit = beyond(habits_, runner.balance()); !habit.empty())
    return tl::unexpected(Misdeed{DiagnosticCode::call_leaves, habit + where(), "", false});
  return Outcome{std::move(*result), taken, poison_key};
}

tl::expected<Holdings, Misdeed> Bench::hold(Subject& runner, Side side, double timeout_seconds,
                                            std::uint64_t poison_key, unsigned calls) {
  renew_leftovers(false);
  tl::expected<Outcome, Misdeed> last;
  for (unsigned call = 0; call < calls && last; ++call)
    last = run(runner, side, timeout_seconds, derive(poison_key, call));
  renew_leftovers(true);
  if (!last) return tl::unexpected(last.error());
  const runner::Balance& balance = runner.balance();
  Holdings holdings{.device_bytes = balance.device_bytes, .pooled_bytes = balance.pooled_bytes};
  if (!ground_->traits().counts_every_byte) return holdings;
  holdings.heap_bytes = balance.heap_bytes;
  holdings.mapped_bytes = runner.mapped_bytes();
  holdings.threads = runner.threads();
  return holdings;
}

void Bench::release_memory() {
  const Habits habits = habits_;
  *this = Bench(*spec_, *clock_, *ground_);
  habits_ = habits;
}

// By now checks have taken a while.
bool Bench::changes_late(const SharedMemory& outputs) {
  constexpr std::size_t most = 16u << 20;  // crosses the bus in a millisecond
  const std::size_t bytes = std::min(layout_.output_bytes, most);
  later_.resize(bytes);
  outputs.lent().read(0, later_.data(), bytes);
  return !equal_bytes(later_.data(), outputs.data(), bytes);
}

Comparison Bench::comparison(std::size_t output) const {
  if (output == spec_->parameters.size())
    return {.element = *spec_->result,
            .tolerance = case_.exact ? exactly : spec_->result_tolerance,
            .array = result_array_,
            .data_elements = data_elements_,
            .special = case_.special.kind};
  const Parameter& parameter = spec_->parameters[output];
  return {.element = parameter.element,
          .tolerance = case_.exact ? exactly : parameter.tolerance,
          .array = case_.arrays[output],
          .data_elements = data_elements_,
          .special = case_.special.kind};
}

std::vector<View> Bench::views(Side side, const Outcome& outcome, const Scales& scales, Ends ends) const {
  std::vector<View> views;
  const auto add = [&](std::size_t output, std::string name, const std::byte* data) {
    views.push_back({output, std::move(name), comparison(output), data});
    if (output < spec_->parameters.size() && spec_->parameters[output].role == Role::out)
      views.back().comparison.unwritten = poison(output, outcome.poison_key);
    if (output < scales.size()) views.back().comparison.scales = scales[output];
  };
  for (std::size_t i = 0; i < spec_->parameters.size(); ++i)
    if (spec_->parameters[i].pointer && spec_->parameters[i].role != Role::in)
      add(i, spec_->parameters[i].name, file(side).data() + layout_.places[i].at(ends));
  if (spec_->result) add(spec_->parameters.size(), "the return value", outcome.result.data());
  return views;
}

std::vector<View> Bench::views(Side side, const Outcome& outcome, const Scales& scales) const {
  return views(side, outcome, scales, ends_);
}

Outputs Bench::outputs(Side side, const Outcome& outcome) const {
  Outputs copies{.bytes = std::vector<std::vector<std::byte>>(spec_->parameters.size() + 1),
                 .poison_key = outcome.poison_key};
  for (const View& view : views(side, outcome))
    copies.bytes[view.output].assign(view.data, view.data + view.comparison.array.bytes);
  return copies;
}

Poison Bench::poison(std::size_t output, std::uint64_t key) const {
  return output == spec_->parameters.size() ? Poison(*spec_->result, key)
                                            : poison_of(*spec_, static_cast<unsigned>(output), key);
}

const std::byte* Bench::input(std::size_t parameter) const {
  return inputs_.data() + layout_.places[parameter].at(ends_);
}

std::string Bench::where() const {
  std::string text = fmt::format(" ({}", case_.label);
  if (overlap_.any) text += ", overlapping arguments";
  if (overlap_.shift != 0) text += fmt::format(" shifted by {}", overlap_.shift);
  if (ends_ == Ends::askew) text += ", arrays aligned to their elements alone";
  if (ends_ == Ends::askew_outputs) text += ", outputs aligned to their elements alone";
  if (ends_ == Ends::askew_inputs) text += ", inputs aligned to their elements alone";
  if (ends_ == Ends::askew_first || ends_ == Ends::askew_second)
    text += ", some arrays aligned to their elements alone";
  if (case_.special.kind != Special::none) text += ", with " + special_words(*spec_, case_);
  if (case_.pattern.any()) text += ", with " + pattern_words(*spec_, case_.pattern);
  return text + fmt::format(", seed {})", case_.seed);
}

std::string Bench::name_of(std::size_t output, const Mismatch& mismatch) const {
  if (output == spec_->parameters.size())
    return mismatch.field.empty() ? "the return value" : "the return value's " + mismatch.field;
  return element_name(spec_->parameters[output], case_.arrays[output], static_cast<long long>(mismatch.element),
                      mismatch.field);
}

namespace {

// Of what a workload handed over, beside the results themselves (frontend/describe/workload_data.h): how many of each
// kind, then what tells lengths, what had no room, and leaving out. As numbers the latter say nothing.
std::string in_result_counts(std::size_t from_end, const Mismatch& mismatch) {
  switch (from_end) {
    case 1:
      return "the workload leaves out data that it takes with the original";
    case 2:
      return "result counts: of more results than the judge keeps, some differ from the original's";
    case 3:
      return "result counts: ranges of results have other lengths than the original's";
    default:
      return fmt::format("result counts: {} numbers of a kind are handed over, expected {}", mismatch.got,
                         mismatch.expected);
  }
}

}  // namespace

std::string Bench::compare(const Outcome& expected, Ends expected_ends, const Outcome& got, const Scales& scales,
                           const Outputs* ordinary, const Pardons& pardons) const {
  const std::vector<View> wanted = views(Side::reference, expected, scales, expected_ends);
  const std::vector<View> had = views(Side::candidate, got);
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    const std::size_t output = wanted[i].output;
    Comparison comparison = wanted[i].comparison;
    comparison.got_unwritten = had[i].comparison.unwritten;
    if (ordinary) comparison.ordinary = ordinary->bytes[output].data();
    if (pardons) comparison.pardons = [&, i](const ErrorAt& at) { return pardons(wanted[i], at); };
    const auto mismatch = judge::compare(comparison, wanted[i].data, had[i].data);
    if (!mismatch && !overlap_.any)
      if (const auto element = wrong_in_gaps(comparison, wanted[i].data, had[i].data))
        return fmt::format(
            "wrote {}, which no clause names{}",
            element_name(spec_->parameters[output], case_.arrays[output], static_cast<long long>(*element)), where());
    if (!mismatch) continue;
    const auto& poison = comparison.got_unwritten;
    const bool unwritten = poison && poison->covers(had[i].data + mismatch->offset, mismatch->offset, mismatch->bytes);
    const std::string name = name_of(output, *mismatch);
    std::string sentence = unwritten ? fmt::format("{} was not written", name)
                           : output < spec_->parameters.size() && holds_row_pointers(spec_->parameters[output])
                               ? fmt::format("{} points elsewhere than the original leaves it", name)
                           : output < spec_->parameters.size() && is_memory_of_object(spec_->parameters[output])
                               ? fmt::format("wrote into {}, where the original does not", name)
                               : fmt::format("{} is {}, expected {}", name, mismatch->got, mismatch->expected);
    if (output + 1 == spec_->parameters.size() && has_workload(*spec_))
      return in_result_counts(case_.arrays[output].elements - mismatch->element, *mismatch) + where();
    if (mismatch->count > 1) sentence += fmt::format(", and {} more are wrong", mismatch->count - 1);
    return sentence + where();
  }
  return "";
}

std::string Bench::differ(const Outputs& earlier, Side side, const Outcome& later) const {
  for (const View& view : views(side, later)) {
    const auto mismatch = judge::differ(view.comparison, earlier.bytes[view.output].data(), view.data,
                                        poison(view.output, earlier.poison_key), poison(view.output, later.poison_key));
    if (mismatch)
      return fmt::format("{} was {} in one run and {} in another on the same data{}", name_of(view.output, *mismatch),
                         mismatch->expected, mismatch->got, where());
  }
  return "";
}

bool Bench::near(const Outputs& earlier, const Outcome& later, const Scales& scales) const {
  for (const View& view : views(Side::reference, later, scales)) {
    Comparison comparison = view.comparison;
    const Tolerance& tolerance = comparison.tolerance;
    if (tolerance.exact || tolerance.ulp || tolerance.rtol.value_or(1) < least_rtol) continue;
    const Poison before = poison(view.output, earlier.poison_key), after = poison(view.output, later.poison_key);
    if (view.output < spec_->parameters.size()) {
      comparison.unwritten = before;
      comparison.got_unwritten = after;
    }
    if (judge::compare(comparison, earlier.bytes[view.output].data(), view.data)) return false;
  }
  return true;
}

double Bench::least_finite(const Outcome& outcome) const {
  double least = 1;
  for (const View& view : views(Side::reference, outcome)) {
    const Poison unwritten = poison(view.output, outcome.poison_key);
    const bool may_be_unwritten =
        view.output < spec_->parameters.size() && spec_->parameters[view.output].role == Role::out;
    std::size_t all = 0, finite = 0;
    for (const Field& field : view.comparison.element.fields)
      visit_scalar(field.type, [&]<class T>(Tag<T>) {
        if constexpr (is_floating<T>)
          each_scalar(view.comparison, field, [&](std::size_t at, std::size_t) {
            ++all;
            finite += std::isfinite(static_cast<double>(as_double(load<T>(view.data + at)))) ||
                      (may_be_unwritten && unwritten.covers(view.data + at, at, sizeof(T)));
          });
      });
    if (all > 0) least = std::min(least, static_cast<double>(finite) / static_cast<double>(all));
  }
  return least;
}

Bench::Scales Bench::scales(const Outcome& expected) const {
  Scales scales(spec_->parameters.size() + 1);
  for (const View& view : views(Side::reference, expected)) scales[view.output] = scales_of(view.comparison, view.data);
  return scales;
}

}  // namespace hone::judge
