#include "tool/evaluate/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "tool/evaluate/failure_text.h"
#include "tool/evaluate/pool.h"

namespace hone::evaluate {
namespace {

constexpr double shortest_sample = 200e-6;  // seconds; under it the round trip to the process shows
constexpr double shortest_stay = 10e-3;     // of outputs on the same physical pages
constexpr double longest_batch = 4e-3;      // of the slower side, when the faster wants batching
constexpr unsigned most_slots = 64, most_calls = 4096;
constexpr std::size_t pool_bytes = 64u << 20;
constexpr std::size_t batch_bytes =
    1u << 20;  // what the calls of one batch touch, each in a slot of its own: within the second-level cache
constexpr std::size_t cached_bytes = 256u
                                     << 10;  // small arrays rotate within this, to stay as warm as they are in life
constexpr std::size_t most_samples_kept =
    50'000;  // all of them, but for the fastest of kernels: who asked computes again
constexpr double comparing_share = 0.1;
constexpr unsigned most_compared = 8;                         // slots of one pair: reading them cools the caches
constexpr double first_comparing = 10e-3;                     // seconds, of the first batch as a whole
constexpr double free_share = 0.005, free_seconds = 0.25e-3;  // of CPU time beside the calls: the clock's own error
constexpr double noisy_spread = 0.05;                         // of the pairs' ratios, between the quartiles
constexpr std::size_t fewest_pairs = 5;
constexpr double patience = 4;              // times the last look, for kernels so slow that it saw too few pairs
constexpr double bytes_per_second = 400e9;  // that one core could store at the very best (64 bytes a cycle, 6 GHz)

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Between the quartiles of the pairs' log ratios.
double spread_of(const PairedSamples& samples) {
  std::vector<double> ratios;
  for (std::size_t i = 0; i < samples.reference.size(); ++i)
    ratios.push_back(std::log(std::max(samples.candidate[i], 1e-10) / std::max(samples.reference[i], 1e-10)));
  if (ratios.size() < 4) return 0;
  std::ranges::sort(ratios);
  return ratios[ratios.size() * 3 / 4] - ratios[ratios.size() / 4];
}

std::vector<double> thinned(const std::vector<double>& samples) {
  const std::size_t step = (samples.size() + most_samples_kept - 1) / most_samples_kept;
  std::vector<double> kept;
  for (std::size_t i = 0; i < samples.size(); i += std::max<std::size_t>(step, 1)) kept.push_back(samples[i]);
  return kept;
}

}  // namespace

// One problem while it is timed.
struct Timer::Track {
  Case c;
  Bench::Scales scales;
  unsigned set = 0;
  Pool pool;
  unsigned calls = 1;  // in one sample
  unsigned next_slot = 0;
  double next_move = 0;    // when the outputs get other pages
  double spent = 0;        // seconds
  double timeout = 10;     // of one call
  PairedSamples decisive;  // seconds per call by the deciding clock
  PairedSamples wall;
};

Timer::Timer(const KernelSpec& spec, const Plan& plan, std::vector<Case> declared, std::vector<Bench::Scales> scales,
             Runner& reference, Runner& candidate)
    : spec_(spec), plan_(plan), reference_(reference), candidate_(candidate), random_(derive(plan.seed, 0x71e2)) {
  for (std::size_t i = 0; i < declared.size(); ++i) {
    Track track{.c = std::move(declared[i])};
    if (i < scales.size()) track.scales = std::move(scales[i]);
    track.set = static_cast<unsigned>(i) + 1;  // 0 is the verifier's
    track.timeout = plan.timeout_seconds;
    track.decisive.weight = track.wall.weight = spec.problems[track.c.problem].weight;
    tracks_.push_back(std::move(track));
  }
  // A problem of no weight is verified, not timed; if none has any, all count alike.
  if (std::ranges::any_of(tracks_, [](const Track& t) { return t.wall.weight > 0; }))
    std::erase_if(tracks_, [](const Track& t) { return t.wall.weight <= 0; });
  else
    for (Track& track : tracks_) track.decisive.weight = track.wall.weight = 1;
}

Timer::~Timer() = default;

bool Timer::blame(Bench::Side side, const Track& track, const RunnerFailure& failure) {
  timing_.of_original = side == Bench::Side::reference;
  timing_.misdeed = fmt::format("{}{} (while timed, {})", timing_.of_original ? "the original " : "", describe(failure),
                                track.c.label);
  timing_.detail = failure.text;
  return false;
}

// Slots for so many calls, each its own: a call whose output the next one overwrites could be left out unseen.
Result<void> Timer::add_pool(Track& track, unsigned calls) {
  const std::size_t slot_bytes = std::max<std::size_t>(Pool::bytes_per_slot(spec_, track.c), 1);
  std::size_t slots = slot_bytes > pool_bytes / 2 ? 1 : std::max<std::size_t>(2, cached_bytes / slot_bytes);
  const bool restores =
      std::ranges::any_of(spec_.parameters, [](const Parameter& p) { return p.pointer && p.role == Role::inout; });
  if (restores) slots = std::max<std::size_t>(slots, std::min<std::size_t>(most_slots, pool_bytes / slot_bytes));
  slots = std::clamp<std::size_t>(slots, 1, most_slots);
  slots = std::max(slots, std::min<std::size_t>(calls, batch_bytes / slot_bytes));
  track.c.seed = random_.bits();
  track.next_slot = 0;
  HONE_TRY(track.pool, Pool::make(spec_, track.c, static_cast<unsigned>(slots)));
  return {};
}

bool Timer::map(Track& track) {
  for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
    Runner& runner = side == Bench::Side::reference ? reference_ : candidate_;
    const double cpu = runner.cpu_seconds();
    if (auto mapped = track.pool.map_into(runner, track.set, side); !mapped) return blame(side, track, mapped.error());
    accounted(side) += runner.cpu_seconds() - cpu;
  }
  return true;
}

// Often, for many draws of pages, and not so often that it takes more than a sixth of the time.
bool Timer::move_when_due(Track& track) {
  const double start = now();
  if (!track.pool.has_outputs() || start < track.next_move) return true;
  if (auto moved = track.pool.move_outputs(random_.bits()); !moved) {
    track.next_move = start + 1e9;  // no memory for it: the pages at hand have to do
    return true;
  }
  if (!map(track)) return false;
  track.next_move = now() + std::max(shortest_stay, 5 * (now() - start));
  return true;
}

// Makes the pools, warms both sides up and finds how many calls make a sample.
Result<void> Timer::prepare() {
  for (Track& track : tracks_) {
    HONE_CHECK(add_pool(track, 1));
    Batch batch;
    if (!map(track) || !warm_up(track, batch)) return {};
    // The first guess holds the round trip, which the calls of a batch share: longer batches mend it.
    for (int guess = 0; guess < 3; ++guess) {
      const double room = std::min(shortest_sample / batch.faster, std::max(1.0, longest_batch / batch.slower));
      const auto calls =
          static_cast<unsigned>(std::clamp(std::ceil(track.calls * room), 1.0, static_cast<double>(most_calls)));
      if (calls > track.pool.slots()) {
        HONE_CHECK(add_pool(track, calls));
        if (!map(track)) return {};
      }
      const unsigned before = track.calls;
      track.calls = std::min(calls, track.pool.slots());
      if (track.calls <= before) break;
      if (!take_batch(track, batch)) return {};
    }
  }
  return {};
}

// The best of a few single calls of each side.
bool Timer::warm_up(Track& track, Batch& batch) {
  double best[2] = {1e9, 1e9};
  for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
    double& seconds = best[side == Bench::Side::candidate];
    for (int repeat = 0; repeat < 3 && (repeat == 0 || seconds < 0.02); ++repeat) {
      Sample sample;
      if (repeat > 0) track.pool.refresh(0, 1, random_.bits());
      track.pool.hand_over(side, 0, 1, random_.bits());
      if (!take_sample(track, side, 0, sample)) return false;
      seconds = std::min(seconds, sample.wall);
    }
    if (side == Bench::Side::reference)
      track.timeout = std::min(std::max(1.0, 20 * seconds), std::max(plan_.timeout_seconds, 2 * seconds));
  }
  batch = {std::max(std::min(best[0], best[1]), 1e-8), std::max({best[0], best[1], 1e-8})};
  return true;
}

bool Timer::take_batch(Track& track, Batch& batch) {
  Sample samples[2];
  track.pool.refresh(0, track.calls, random_.bits());
  for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
    track.pool.hand_over(side, 0, track.calls, random_.bits());
    if (!take_sample(track, side, 0, samples[side == Bench::Side::candidate])) return false;
  }
  batch = {std::max(std::min(samples[0].wall, samples[1].wall), 1e-8), std::max(samples[0].wall, samples[1].wall)};
  return true;
}

bool Timer::take_sample(Track& track, Bench::Side side, unsigned first_slot, Sample& sample) {
  Runner& runner = side == Bench::Side::reference ? reference_ : candidate_;
  const CallPlan plan{.first_slot = first_slot,
                      .slots = track.pool.slots(),
                      .calls = track.calls,
                      .result_poison = static_cast<unsigned char>(random_.bits())};
  const double cpu = runner.cpu_seconds(), wall = now();
  auto result = runner.call(track.set, plan, track.timeout * track.calls + 1);
  sample.wall = now() - wall;
  sample.cpu = runner.cpu_seconds() - cpu;
  if (!result) return blame(side, track, result.error());
  cpu_total_ += sample.cpu;
  wall_total_ += sample.wall;
  accounted(side) += sample.cpu;
  return true;
}

bool Timer::outputs_agree(Track& track, unsigned slot) {
  const double start = now();
  const std::string wrong = track.pool.compare(slot, track.scales);
  comparing_ += now() - start;
  if (wrong.empty()) return true;
  timing_.misdeed = "right at first, then wrong while timed: " + wrong;
  return false;
}

bool Timer::take_pair(Track& track) {
  const double start = now();
  if (!move_when_due(track)) return false;
  const unsigned slots = track.pool.slots(), first = track.next_slot;
  track.pool.refresh(first, track.calls, random_.bits());
  track.next_slot = (first + track.calls) % slots;
  const std::uint64_t key = random_.bits();
  Sample samples[2];
  using Side = Bench::Side;
  const bool candidate_first = random_.bits() & 1;
  for (const Side side :
       {candidate_first ? Side::candidate : Side::reference, candidate_first ? Side::reference : Side::candidate}) {
    track.pool.hand_over(side, first, track.calls, key);
    if (!take_sample(track, side, first, samples[side == Side::candidate])) return false;
  }
  const auto& [reference, candidate] = samples;
  const double calls = track.calls;
  track.wall.reference.push_back(reference.wall / calls);
  track.wall.candidate.push_back(candidate.wall / calls);
  track.decisive.reference.push_back((by_cpu_ ? reference.cpu : reference.wall) / calls);
  track.decisive.candidate.push_back((by_cpu_ ? candidate.cpu : candidate.wall) / calls);
  track.spent += now() - start;
  return batch_agrees(track, first);
}

// Calls are drawn only now: one who knew which are looked at would leave out the others. As many as there is time for,
// and of the first batch all.
bool Timer::batch_agrees(Track& track, unsigned first) {
  const unsigned slots = track.pool.slots();
  if (track.wall.reference.size() == 1) {
    const double before = comparing_;
    for (unsigned call = 0; call < track.calls && comparing_ - before < first_comparing; ++call)
      if (!outputs_agree(track, (first + call) % slots)) return false;
    return true;
  }
  for (unsigned n = 0; n < std::min(track.calls, most_compared); ++n) {
    if (comparing_ >= comparing_share * (track.spent + wall_total_) / 2) break;
    const unsigned call = track.calls == 1 ? 0 : static_cast<unsigned>(random_.below(track.calls));
    if (!outputs_agree(track, (first + call) % slots)) return false;
  }
  return true;
}

// Time is shared by weight; each problem starts with one pair.
Timer::Track& Timer::next_track() {
  return *std::ranges::min_element(tracks_, {}, [](const Track& track) { return track.spent / track.wall.weight; });
}

Timer::Track& Timer::scarcest_track() {
  return *std::ranges::min_element(tracks_, {}, [](const Track& track) { return track.wall.reference.size(); });
}

bool Timer::measure_until(double deadline) {
  do {
    if (!take_pair(next_track())) return false;
  } while (now() < deadline);
  return true;
}

// What the candidate worked beside its calls, beyond what the original's process does there, it works for its calls.
// Threads of a team spin for a moment after each, so that this is for kernels without.
void Timer::charge_late_work() {
  charge_ = 1;
  if (spec_.threads != 1) return;
  const double late = outside(Bench::Side::candidate) - outside(Bench::Side::reference);
  const double accounted = accounted_[1];
  if (accounted <= 0 || late <= free_share * accounted + free_seconds) return;
  charge_ = 1 + late / accounted;
}

double Timer::outside(Bench::Side side) const {
  const unsigned i = side == Bench::Side::candidate;
  return (i ? candidate_ : reference_).cpu_seconds() - started_[i] - accounted_[i];
}

PairedSamples Timer::charged(PairedSamples samples) const {
  for (double& seconds : samples.candidate) seconds *= charge_;
  return samples;
}

Decision Timer::look(unsigned number) {
  charge_late_work();
  std::vector<PairedSamples> decisive, wall;
  for (const Track& track : tracks_) {
    decisive.push_back(charged(track.decisive));
    wall.push_back(charged(track.wall));
  }
  const std::uint64_t seed = derive(plan_.seed, 0x100c + number);
  estimate_ = estimate(decisive, plan_.rule, number, seed);
  if (!by_cpu_ || estimate_.decision != Decision::faster) return estimate_.decision;
  // Less CPU time in more wall time would be no gain: it sleeps, or waits for something.
  const Estimate by_wall = estimate(wall, plan_.rule, number, seed);
  timing_.remark.clear();
  if (by_wall.speedup.high < 1) return Decision::not_faster;
  if (by_wall.speedup.median >= 1) return Decision::faster;
  // On a busy machine wall time is mostly the wait for a turn and says little; whether the candidate waits for anything
  // else, which CPU time does not show, the system's count of its waits tells.
  if (busy() && waits_like_the_original()) return Decision::faster;
  timing_.remark = fmt::format("; not confirmed by wall time: {:.2f}x ({:.2f}..{:.2f})", by_wall.speedup.median,
                               by_wall.speedup.low, by_wall.speedup.high);
  return Decision::undecided;
}

bool Timer::busy() const {
  return spec_.threads == 1 && cpu_total_ < 0.9 * wall_total_;
}

bool Timer::waits_like_the_original() const {
  const auto reference = static_cast<double>(reference_.waits() - reference_waits_);
  const auto candidate = static_cast<double>(candidate_.waits() - candidate_waits_);
  return candidate <= 1.05 * reference + 10;
}

// Faster than its outputs could be stored: the work was not done, or not then.
void Timer::check_for_cheats() {
  for (const Track& track : tracks_) {
    double stored = 0;
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i)
      if (spec_.parameters[i].pointer && spec_.parameters[i].role == Role::out)
        stored += static_cast<double>(track.c.arrays[i].bytes);
    const double floor = stored / (bytes_per_second * spec_.threads);
    const double measured = median(track.wall.candidate);
    if (stored > 4096 && measured < floor) {
      timing_.misdeed = fmt::format("its time of {:.3g} s is below what storing its outputs takes ({:.3g} s, {})",
                                    measured, floor, track.c.label);
      return;
    }
  }
}

void Timer::report(double seconds) {
  Measurement& measurement = timing_.measurement;
  measurement.speedup = estimate_.speedup;
  measurement.seconds = seconds;
  measurement.noisy = busy();
  timing_.cpu_share = spec_.threads == 1 && wall_total_ > 0 ? cpu_total_ / wall_total_ : 1;
  for (const Track& track : tracks_) timing_.spread = std::max(timing_.spread, spread_of(track.decisive));
  timing_.too_noisy = busy() || timing_.spread > noisy_spread;
  if (charge_ > 1)
    timing_.remark += fmt::format("; charged with {:.1f}% for work beside its calls", 100 * (charge_ - 1));
  measurement.clock = by_cpu_ ? "process-cpu" : "wall";
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const Track& track = tracks_[i];
    const PairedSamples decisive = charged(track.decisive);
    measurement.problems.push_back({.label = track.c.label,
                                    .weight = track.wall.weight,
                                    .speedup = i < estimate_.per_problem.size() ? estimate_.per_problem[i] : Speedup{},
                                    .reference_seconds = median(decisive.reference),
                                    .candidate_seconds = median(decisive.candidate),
                                    .reference_samples = thinned(decisive.reference),
                                    .candidate_samples = thinned(decisive.candidate)});
  }
}

// Beyond what is charged. Threads that wait for work spin for a moment; one that works on would take as long as the
// calls do.
void Timer::refuse_late_work() {
  const double late = outside(Bench::Side::candidate), allowed_share = spec_.threads == 1 ? 0.1 : 0.7;
  if (late > allowed_share * accounted_[1] + 5e-3)
    timing_.misdeed =
        fmt::format("works while it is not timed: {:.3g} s beside {:.3g} s in its calls", late, accounted_[1]);
}

Result<Timing> Timer::run() {
  timespec resolution{};
  by_cpu_ = spec_.threads == 1 && clock_getres(CLOCK_PROCESS_CPUTIME_ID, &resolution) == 0 && resolution.tv_sec == 0 &&
            resolution.tv_nsec <= 1000;
  HONE_CHECK(prepare());
  if (!timing_.misdeed.empty()) return std::move(timing_);
  started_[0] = reference_.cpu_seconds();
  started_[1] = candidate_.cpu_seconds();
  accounted_[0] = accounted_[1] = cpu_total_ = wall_total_ = 0;
  reference_waits_ = reference_.waits();
  candidate_waits_ = candidate_.waits();
  const double start = now();
  const std::vector<double>& looks = plan_.rule.looks;
  for (unsigned number = 0; number < looks.size(); ++number) {
    if (!measure_until(start + looks[number])) return std::move(timing_);
    const bool last = number + 1 == looks.size();
    while (last && scarcest_track().wall.reference.size() < fewest_pairs && now() < start + patience * looks.back())
      if (!take_pair(scarcest_track())) return std::move(timing_);
    timing_.decision = look(number);
    if (timing_.decision != Decision::undecided) {
      timing_.measurement.decided = !last || timing_.decision == Decision::faster;
      break;
    }
  }
  refuse_late_work();
  check_for_cheats();
  report(now() - start);
  return std::move(timing_);
}

}  // namespace hone::evaluate
