#include "tool/judge/bench/pool.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>

#include "tool/base/random.h"
#include "tool/judge/data/input_data.h"
#include "tool/judge/data/scalar.h"

namespace hone::judge {
namespace {

constexpr std::size_t page = 4096;
constexpr std::size_t line = 64;      // bytes of a cache line
constexpr unsigned most_changes = 8;  // elements per array and refresh; of many slots, few each: pairs must stay near
constexpr std::size_t fewest_turned = 4096;             // elements; of fewer, all are soon had again
constexpr unsigned changes_of_batch = 512;              // elements of one array, all slots of a batch together
constexpr unsigned changes_of_slot = 1000;              // from the first slot in lent memory
constexpr unsigned sent_changes_of_slot = 16;           // where each is sent by itself
constexpr std::size_t bytes_worth_a_copy = 256u << 10;  // that cross the bus while one copy more is begun
// A megabyte comes across the bus and is compared in a fraction of a millisecond; a hundred would take longer than the
// first look, while the ground is held for timing.
constexpr std::size_t stretch_bytes = 64u << 10, stretches = 32;

std::size_t round_up(std::size_t bytes, std::size_t to) {
  return (bytes + to - 1) / to * to;
}

// A line more than it holds: arrays of a power of two must not all fall into one cache set.
std::size_t stride_of(std::size_t bytes) {
  return round_up(std::max<std::size_t>(bytes, 1), line) + line;
}

// Single elements where that is quicker than the array.
void push_changes(SharedMemory& file, const std::byte* array, const Parameter& parameter, const Array& shape,
                  const Changed& changed) {
  const auto at = static_cast<std::size_t>(array - file.data());
  if (shape.bytes <= changed.size() * bytes_worth_a_copy) return file.push(at, shape.bytes);
  for (const std::size_t offset : changed) file.push(at + offset, parameter.element.size);
}

unsigned changes(unsigned slots) {
  return std::clamp(changes_of_batch / std::max(slots, 1u), 1u, most_changes);
}

Array array_of(std::size_t elements, std::size_t size) {
  return {{{0, static_cast<long long>(elements)}}, elements, elements * size};
}

// Elements that do not hang on their place: an array of them may go round.
bool may_turn(const Parameter& parameter) {
  if (!parameter.init) return true;
  const Distribution distribution = parameter.init->distribution;
  return distribution == Distribution::uniform || distribution == Distribution::normal ||
         distribution == Distribution::index;
}

// By how many elements a slot's array is the first's gone round, so that nearly every element is another.
std::size_t turn_of(const Parameter& parameter, const Case& c, unsigned index, unsigned slot) {
  const std::size_t elements = c.arrays[index].elements;
  return !c.given && may_turn(parameter) && elements > 1 ? derive(c.seed, (index + 1) * 1000 + slot) % elements : 0;
}

}  // namespace

std::size_t Pool::bytes_per_slot(const KernelData& spec, const Case& c) {
  std::size_t total = 0;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    if (!spec.parameters[i].pointer) continue;
    const Role role = spec.parameters[i].role;
    total += stride_of(c.arrays[i].bytes) * (role == Role::in ? 1 : role == Role::out ? 2 : 3);
  }
  if (spec.result) total += 2 * stride_of(spec.result->size);
  return total;
}

Result<Pool> Pool::make(const KernelData& spec, const Case& c, unsigned slots, Ground& ground) {
  Pool pool;
  pool.spec_ = &spec;
  pool.ground_ = &ground;
  pool.case_ = c;
  pool.slots_ = slots;
  pool.lanes_.resize(spec.parameters.size());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) {
    const Parameter& parameter = spec.parameters[i];
    if (!parameter.pointer) continue;
    Lane& lane = pool.lanes_[i];
    lane.output = parameter.role != Role::in;
    pool.has_outputs_ |= lane.output && c.arrays[i].bytes > 0;
    lane.stride = stride_of(c.arrays[i].bytes);
    std::size_t& end = lane.output ? pool.output_bytes_ : pool.input_bytes_;
    lane.offset = end + line * (i % 8);
    end = round_up(lane.offset + lane.stride * slots, line);
    if (has_floating(parameter.element)) pool.data_elements_ += c.arrays[i].elements;
    if (parameter.role != Role::inout) continue;
    pool.restores_ = true;
    lane.kept = kept;
    kept += lane.stride * slots;
  }
  if (spec.result) {
    Lane& lane = pool.lanes_.emplace_back();
    lane.output = pool.has_outputs_ = true;
    lane.stride = stride_of(spec.result->size);
    lane.offset = pool.output_bytes_;
    pool.output_bytes_ += lane.stride * slots;
  }
  pool.input_bytes_ = round_up(std::max<std::size_t>(pool.input_bytes_, 1), page);
  pool.output_bytes_ = round_up(std::max<std::size_t>(pool.output_bytes_, 1), page);
  const auto make = [&](std::size_t bytes, SharedMemory::Access access) {
    return SharedMemory::create(bytes, access, ground, SharedMemory::Copy::pageable);
  };
  HONE_TRY(pool.inputs_, make(pool.input_bytes_, SharedMemory::Access::read_only));
  HONE_TRY(pool.reference_outputs_, make(pool.output_bytes_, SharedMemory::Access::read_write));
  HONE_TRY(pool.candidate_outputs_, SharedMemory::create(pool.output_bytes_, SharedMemory::Access::read_write));
  pool.kept_.resize(kept);
  if (kept > 0) {
    HONE_TRY(pool.kept_lent_, ground.lend(kept));
  }
  for (std::unique_ptr<LentMemory>& aside : pool.aside_) {
    HONE_TRY(aside, ground.lend(pool.output_bytes_));
  }
  for (std::size_t i = 0; i < spec.parameters.size(); ++i) pool.lanes_[i].mirrored = pool.wants_mirror(i);
  for (unsigned slot = 0; slot < slots; ++slot) pool.draw_slot(slot);
  if (pool.kept_lent_) pool.kept_lent_->write(0, pool.kept_.data(), kept);
  if (pool.inputs_.is_lent())
    pool.send_inputs();
  else
    for (const SharedMemory* file : {&pool.reference_outputs_, &pool.candidate_outputs_}) pool.poison_outputs(*file);
  return pool;
}

// In lent memory the slots are many, to outlast a device's cache, and drawing takes long: from the second on they are
// the first gone round, with some elements changed.
void Pool::draw_slot(unsigned slot) {
  Case drawn = case_;
  drawn.seed = derive(case_.seed, slot);
  if (!drawn.turns.empty()) drawn.given = drawn.turns[slot % drawn.turns.size()];
  Random random(drawn.seed);
  for (unsigned i = 0; i < spec_->parameters.size(); ++i) {
    const Parameter& parameter = spec_->parameters[i];
    if (!parameter.pointer || parameter.role == Role::out) continue;
    const auto place = [&](unsigned of) { return lanes_[i].output ? kept(i, of) : array(inputs_, i, of); };
    if (slot == 0 || !inputs_.is_lent()) {
      draw_array(parameter, drawn, i, place(slot));
      continue;
    }
    if (!lanes_[i].mirrored) continue;
    const std::size_t turn = turn_of(parameter, case_, i, slot) * parameter.element.size;
    std::rotate_copy(place(0), place(0) + turn, place(0) + case_.arrays[i].bytes, place(slot));
    mutate_array(parameter, case_, i, place(slot), {changes_of_slot, random.bits()});
  }
}

// A change of a single scalar can be made without knowing what stands around it.
bool Pool::wants_mirror(std::size_t parameter) const {
  const Parameter& p = spec_->parameters[parameter];
  if (!inputs_.is_lent() || !p.pointer || p.role != Role::in) return true;
  const bool plain = p.element.fields.size() == 1 && p.element.fields.front().count <= 1;
  const bool swaps = p.init && p.init->distribution == Distribution::permutation;
  return !plain || swaps || case_.arrays[parameter].bytes <= sent_changes_of_slot * bytes_worth_a_copy;
}

// Once across the bus, and from there to the other slots, where a device copies a hundred times faster.
void Pool::send_inputs() {
  for (std::size_t i = 0; i < spec_->parameters.size(); ++i) {
    const Parameter& parameter = spec_->parameters[i];
    if (!parameter.pointer || parameter.role != Role::in) continue;
    inputs_.push(lanes_[i].offset, lanes_[i].mirrored ? lanes_[i].stride * slots_ : case_.arrays[i].bytes);
    for (unsigned slot = 1; slot < slots_ && !lanes_[i].mirrored; ++slot) copy_on_ground(i, slot);
  }
}

void Pool::copy_on_ground(std::size_t parameter, unsigned slot) {
  const Lane& lane = lanes_[parameter];
  const std::size_t bytes = case_.arrays[parameter].bytes, to = lane.offset + lane.stride * slot;
  const auto index = static_cast<unsigned>(parameter);
  const std::size_t turn =
      turn_of(spec_->parameters[parameter], case_, index, slot) * spec_->parameters[parameter].element.size;
  inputs_.lent().copy(to, inputs_.lent(), lane.offset + turn, bytes - turn);
  if (turn > 0) inputs_.lent().copy(to + bytes - turn, inputs_.lent(), lane.offset, turn);
  Changed changed;
  mutate_array(spec_->parameters[parameter], case_, static_cast<unsigned>(parameter), array(inputs_, parameter, slot),
               {sent_changes_of_slot, derive(case_.seed, (parameter + 1) * 1000 + slot), &changed});
  push_changes(inputs_, array(inputs_, parameter, slot), spec_->parameters[parameter], case_.arrays[parameter],
               changed);
}

void Pool::poison_outputs(const SharedMemory& file) {
  for (unsigned i = 0; i < spec_->parameters.size(); ++i)
    if (spec_->parameters[i].pointer && spec_->parameters[i].role == Role::out)
      for (unsigned slot = 0; slot < slots_; ++slot)
        Poison(spec_->parameters[i].element, poison_of_nan(1)).fill(array(file, i, slot), case_.arrays[i].bytes);
}

void Pool::poison_result(const SharedMemory& file, unsigned slot, std::uint64_t key) const {
  if (spec_->result) Poison(*spec_->result, key).fill(array(file, spec_->parameters.size(), slot), spec_->result->size);
}

Result<void> Pool::move_outputs(std::uint64_t key) {
  Random random(key);
  std::vector<std::size_t> pages(output_bytes_ / page);
  for (std::size_t i = 0; i < pages.size(); ++i) pages[i] = i;
  for (SharedMemory* file : {&reference_outputs_, &candidate_outputs_}) {
    HONE_TRY(SharedMemory fresh, SharedMemory::create(output_bytes_, SharedMemory::Access::read_write));
    for (std::size_t i = pages.size(); i > 1; --i) std::swap(pages[i - 1], pages[random.below(i)]);
    for (const std::size_t touched : pages) fresh.data()[touched * page] = std::byte{};
    poison_outputs(fresh);
    *file = std::move(fresh);  // the old pages are given back only now, so that the new ones are others
  }
  return {};
}

std::byte* Pool::array(const SharedMemory& file, std::size_t parameter, unsigned slot) const {
  return file.data() + lanes_[parameter].offset + lanes_[parameter].stride * slot;
}

std::byte* Pool::kept(std::size_t parameter, unsigned slot) {
  return kept_.data() + kept_at(parameter, slot);
}

RunnerAnswer<void> Pool::map_into(Subject& runner, unsigned set, Bench::Side side) const {
  const runner::Region regions[] = {{.offset = 0, .length = input_bytes_, .output = 0, .populate = 1},
                                    {.offset = 0, .length = output_bytes_, .output = 1, .populate = 1}};
  const bool own = side == Bench::Side::candidate && !inputs_.is_lent();  // in lent memory both write to one place
  const SharedMemory& outputs = own ? candidate_outputs_ : reference_outputs_;
  HONE_CHECK(runner.map(set, regions, inputs_.handle(), outputs.handle()));
  std::vector<runner::Binding> bindings;
  const std::size_t parameters = spec_->parameters.size();
  for (std::size_t i = 0; i < parameters; ++i) {
    runner::Binding binding{.region = spec_->parameters[i].pointer  ? lanes_[i].output
                                      : spec_->parameters[i].stream ? runner::stream_region
                                                                    : runner::scalar_region};
    binding.offset = lanes_[i].offset;
    binding.stride = lanes_[i].stride;
    binding.bytes = case_.arrays[i].bytes;
    binding.lead = case_.arrays[i].lead * spec_->parameters[i].element.size;
    bindings.push_back(binding);
  }
  // What a launcher returns comes with the reply: its memory is the machine's.
  if (!spec_->result || inputs_.is_lent()) return runner.bind(set, bindings, case_.scalars);
  bindings.push_back({.region = 1,
                      .offset = lanes_[parameters].offset,
                      .stride = lanes_[parameters].stride,
                      .bytes = spec_->result->size});
  return runner.bind(set, bindings, case_.scalars, static_cast<std::uint32_t>(parameters));
}

// What takes long to draw goes round in its own array instead: each element is another than before all the same.
void Pool::draw_anew(const Case& drawn, unsigned i, std::byte* data) {
  const Parameter& parameter = spec_->parameters[i];
  if (drawn.given) return draw_array(parameter, drawn, i, data);
  const Distribution distribution = parameter.init ? parameter.init->distribution : Distribution::uniform;
  if (distribution == Distribution::file || distribution == Distribution::constant ||
      distribution == Distribution::zeros)
    return;
  const Array& shape = case_.arrays[i];
  if (distribution != Distribution::normal || shape.elements < fewest_turned)
    return draw_array(parameter, drawn, i, data);
  const std::size_t by = 1 + Random(drawn.seed).below(shape.elements - 1);
  std::rotate(data, data + by * parameter.element.size, data + shape.elements * parameter.element.size);
}

void Pool::refresh(unsigned first, unsigned count, std::uint64_t key, Fresh fresh) {
  Random random(key);
  const bool anew = fresh == Fresh::anew && !inputs_.is_lent();
  Case drawn;
  if (anew) drawn = case_;
  for (unsigned n = 0; n < std::min(count, slots_); ++n) {
    const unsigned slot = (first + n) % slots_;
    drawn.seed = random.bits();
    if (anew && !drawn.turns.empty()) drawn.given = drawn.turns[random.below(drawn.turns.size())];
    for (unsigned i = 0; i < spec_->parameters.size(); ++i) {
      const Parameter& parameter = spec_->parameters[i];
      if (!parameter.pointer || case_.arrays[i].bytes == 0 || parameter.role == Role::out) continue;
      const bool kept_here = parameter.role == Role::inout;
      std::byte* const data = kept_here ? kept(i, slot) : array(inputs_, i, slot);
      if (anew) draw_anew(drawn, i, data);
      Changed changed;
      mutate_array(parameter, case_, i, data, {changes_of(count), random.bits(), &changed});
      if (!kept_here) push_changes(inputs_, data, parameter, case_.arrays[i], changed);
      if (kept_here && kept_lent_) send_kept(i, slot, changed);
    }
  }
}

void Pool::hand_over(Bench::Side side, unsigned first, unsigned count, std::uint64_t key) {
  if (inputs_.is_lent()) return hand_over_lent(side, first, count, key);
  SharedMemory& outputs = this->outputs(side);
  Random random(key);
  for (unsigned n = 0; n < std::min(count, slots_); ++n) {
    const unsigned slot = (first + n) % slots_;
    for (unsigned i = 0; i < spec_->parameters.size(); ++i) {
      const Parameter& parameter = spec_->parameters[i];
      if (!parameter.pointer || case_.arrays[i].bytes == 0 || parameter.role == Role::in) continue;
      std::byte* const data = array(outputs, i, slot);
      if (parameter.role == Role::inout) {
        std::memcpy(data, kept(i, slot), case_.arrays[i].bytes);
        continue;
      }
      const std::size_t size = parameter.element.size;
      const Poison poison(parameter.element, random.bits());
      for (unsigned change = 0; change < changes(count); ++change)
        poison.fill(data + random.below(case_.arrays[i].elements) * size, size);
    }
    poison_result(outputs, slot, random.bits());
  }
}

void Pool::send_kept(std::size_t parameter, unsigned slot, const Changed& changed) {
  const std::size_t at = kept_at(parameter, slot), size = spec_->parameters[parameter].element.size;
  for (const std::size_t offset : changed) kept_lent_->write(at + offset, kept_.data() + at + offset, size);
}

// A side's own memory for the while of its calls: the other's outputs go aside, and nothing of them stays.
void Pool::hand_over_lent(Bench::Side side, unsigned first, unsigned count, std::uint64_t key) {
  LentMemory& shared = reference_outputs_.lent();
  if (holds_ && *holds_ != side) aside_[*holds_ == Bench::Side::candidate]->copy(0, shared, 0, output_bytes_);
  holds_ = side;
  shared.fill(0, static_cast<std::byte>(mix(key) | 0x81), output_bytes_);
  for (unsigned n = 0; n < std::min(count, slots_); ++n) {
    const unsigned slot = (first + n) % slots_;
    for (unsigned i = 0; i < spec_->parameters.size(); ++i)
      if (spec_->parameters[i].pointer && spec_->parameters[i].role == Role::inout)
        shared.copy(lanes_[i].offset + lanes_[i].stride * slot, *kept_lent_, kept_at(i, slot), case_.arrays[i].bytes);
  }
  ground_->flush_cache();  // of what filling and copying left there, most of it at the end of the outputs
}

// What a side left in a slot, from where it is.
void Pool::fetch(Bench::Side side, std::size_t parameter, unsigned slot, Part part) {
  if (!inputs_.is_lent()) return;
  const std::size_t size = spec_->parameters[parameter].element.size;
  SharedMemory& copy = outputs(side);
  const LentMemory& from = holds_ == side ? reference_outputs_.lent() : *aside_[side == Bench::Side::candidate];
  std::byte* const to = array(copy, parameter, slot) + part.first * size;
  from.read(static_cast<std::size_t>(to - copy.data()), to, part.count * size);
}

// All of it, or both ends and some stretches between them. In rows with gaps a stretch would have those, too; without a
// scale of the whole it would be held to its own.
std::vector<Pool::Part> Pool::parts_to_compare(std::size_t parameter, bool has_scale, std::uint64_t key) const {
  const Array& array = case_.arrays[parameter];
  const bool has_gaps =
      std::ranges::any_of(array.spans, [](const Span& span) { return span.start != 0 || span.size() != span.length; });
  if (array.bytes <= most_compared_whole || has_gaps || !has_scale) return {{0, array.elements}};
  const std::size_t count = std::max<std::size_t>(stretch_bytes / spec_->parameters[parameter].element.size, 1);
  if (stretches * count >= array.elements) return {{0, array.elements}};
  std::vector<Part> parts{{0, count}, {array.elements - count, count}};
  for (Random random(key); parts.size() < stretches;) parts.push_back({random.below(array.elements - count), count});
  return parts;
}

// Each costs a copy of its own in lent memory.
unsigned Pool::changes_of(unsigned slots) const {
  return inputs_.is_lent() ? 1 : changes(slots);
}

// From other data the scale of the whole is known, and from these that of the parts: sums that wander are as large as
// their data make them.
std::vector<double> Pool::scale_of_parts(std::size_t parameter, unsigned slot, const std::vector<Part>& parts,
                                         std::vector<double> scale) const {
  const ElementType& element = spec_->parameters[parameter].element;
  std::vector<double> squares(element.fields.size());
  for (const Part& part : parts) {
    const Array stretch = array_of(part.count, element.size);
    const Comparison comparison{
        .element = element, .tolerance = spec_->parameters[parameter].tolerance, .array = stretch};
    const std::vector<double> own =
        scales_of(comparison, array(reference_outputs_, parameter, slot) + part.first * element.size);
    for (std::size_t f = 0; f < squares.size(); ++f) squares[f] += own[f] * own[f] / static_cast<double>(parts.size());
  }
  for (std::size_t f = 0; f < scale.size(); ++f) scale[f] = std::max(scale[f], std::sqrt(squares[f]));
  return scale;
}

std::string Pool::compare(unsigned slot, const Bench::Scales& scales, std::uint64_t key) {
  const auto scale = [&](std::size_t output) {
    return output < scales.size() ? scales[output] : std::vector<double>();
  };
  const std::size_t parameters = spec_->parameters.size();
  for (std::size_t i = 0; i < parameters; ++i) {
    const Parameter& parameter = spec_->parameters[i];
    if (!parameter.pointer || !lanes_[i].output) continue;
    const std::size_t size = parameter.element.size;
    const std::vector<Part> parts = parts_to_compare(i, !scale(i).empty() || !has_floating(parameter.element), key);
    for (const Part& part : parts)
      for (const Bench::Side side : {Bench::Side::reference, Bench::Side::candidate}) fetch(side, i, slot, part);
    const bool whole = parts.size() == 1;
    const std::vector<double> of_output = whole ? scale(i) : scale_of_parts(i, slot, parts, scale(i));
    for (const Part& part : parts) {
      const Array stretch = whole ? case_.arrays[i] : array_of(part.count, size);
      const Comparison comparison{.element = parameter.element,
                                  .tolerance = parameter.tolerance,
                                  .array = stretch,
                                  .data_elements = data_elements_,
                                  .scales = of_output};
      if (const auto mismatch = judge::compare(comparison, array(reference_outputs_, i, slot) + part.first * size,
                                               array(candidate_outputs_, i, slot) + part.first * size))
        return fmt::format("{} is {}, expected {} ({})",
                           element_name(parameter, case_.arrays[i],
                                        static_cast<long long>(part.first + mismatch->element), mismatch->field),
                           mismatch->got, mismatch->expected, case_.label);
    }
  }
  if (!spec_->result || inputs_.is_lent()) return "";
  const Array single{{{0, 1}}, 1, spec_->result->size};
  const Comparison comparison{.element = *spec_->result,
                              .tolerance = spec_->result_tolerance,
                              .array = single,
                              .data_elements = data_elements_,
                              .scales = scale(parameters)};
  const auto mismatch = judge::compare(comparison, array(reference_outputs_, parameters, slot),
                                       array(candidate_outputs_, parameters, slot));
  return mismatch
             ? fmt::format("the return value is {}, expected {} ({})", mismatch->got, mismatch->expected, case_.label)
             : "";
}

}  // namespace hone::judge
