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
constexpr std::size_t cached_bytes = 256u
                                     << 10;  // small arrays rotate within this, to stay as warm as they are in life
constexpr std::size_t most_samples_kept =
    50'000;  // all of them, but for the fastest of kernels: who asked computes again
constexpr double comparing_share = 0.1;
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
  std::vector<std::byte> results[2];
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

Result<void> Timer::add_pool(Track& track) {
  const std::size_t slot_bytes = std::max<std::size_t>(Pool::bytes_per_slot(spec_, track.c), 1);
  std::size_t slots = slot_bytes > pool_bytes / 2 ? 1 : std::max<std::size_t>(2, cached_bytes / slot_bytes);
  const bool restores =
      std::ranges::any_of(spec_.parameters, [](const Parameter& p) { return p.pointer && p.role == Role::inout; });
  if (restores) slots = std::max<std::size_t>(slots, std::min<std::size_t>(most_slots, pool_bytes / slot_bytes));
  track.c.seed = random_.bits();
  HONE_TRY(track.pool,
           Pool::make(spec_, track.c, static_cast<unsigned>(std::clamp<std::size_t>(slots, 1, most_slots))));
  return {};
}

bool Timer::map(Track& track) {
  for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
    Runner& runner = side == Bench::Side::reference ? reference_ : candidate_;
    const double cpu = runner.cpu_seconds();
    if (auto mapped = track.pool.map_into(runner, track.set, side); !mapped) return blame(side, track, mapped.error());
    if (side == Bench::Side::candidate) candidate_cpu_accounted_ += runner.cpu_seconds() - cpu;
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
    HONE_CHECK(add_pool(track));
    if (!map(track)) return {};
    double slower = 0, faster = 1e9;
    for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
      double best = 1e9;
      for (int repeat = 0; repeat < 3 && (repeat == 0 || best < 0.02); ++repeat) {
        Sample sample;
        if (repeat > 0) track.pool.refresh(0, 1, random_.bits());
        track.pool.hand_over(side, 0, 1, random_.bits());
        if (!take_sample(track, side, 0, sample)) return {};
        best = std::min(best, sample.wall);
      }
      slower = std::max(slower, best);
      faster = std::min(faster, best);
      if (side == Bench::Side::reference)
        track.timeout = std::min(std::max(1.0, 20 * best), std::max(plan_.timeout_seconds, 2 * best));
    }
    const double wanted =
        std::min(shortest_sample / std::max(faster, 1e-8), std::max(longest_batch, shortest_sample) / slower);
    track.calls = static_cast<unsigned>(std::clamp(std::ceil(wanted), 1.0, static_cast<double>(most_calls)));
    if (track.pool.restores()) track.calls = std::min(track.calls, track.pool.slots());
    if (track.calls > 1) {  // the first guess holds the round trip, which calls of a batch share
      double batch = 1e9;
      for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
        Sample sample;
        track.pool.refresh(0, track.calls, random_.bits());
        track.pool.hand_over(side, 0, track.calls, random_.bits());
        if (!take_sample(track, side, 0, sample)) return {};
        batch = std::min(batch, sample.wall);
        slower = side == Bench::Side::reference ? sample.wall : std::max(slower, sample.wall);
      }
      const double room = std::min(shortest_sample / batch, std::max(1.0, longest_batch / slower));
      track.calls = static_cast<unsigned>(std::clamp(track.calls * room, 1.0, static_cast<double>(most_calls)));
      if (track.pool.restores()) track.calls = std::min(track.calls, track.pool.slots());
    }
  }
  return {};
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
  track.results[side == Bench::Side::reference ? 0 : 1] = std::move(*result);
  cpu_total_ += sample.cpu;
  wall_total_ += sample.wall;
  if (side == Bench::Side::candidate) candidate_cpu_accounted_ += sample.cpu;
  return true;
}

bool Timer::outputs_agree(Track& track, unsigned slot) {
  const double start = now();
  const std::string wrong = track.pool.compare(slot, track.scales, track.results[0], track.results[1]);
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
  const bool first_pair = track.wall.reference.size() == 1;
  if (first_pair || comparing_ < comparing_share * (track.spent + wall_total_) / 2)
    // Any of the batch: one who knew which call is looked at would leave out the others.
    return outputs_agree(
        track, (first + track.calls - 1 - static_cast<unsigned>(random_.below(std::min(track.calls, slots)))) % slots);
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

Decision Timer::look(unsigned number) {
  std::vector<PairedSamples> decisive, wall;
  for (const Track& track : tracks_) {
    decisive.push_back(track.decisive);
    wall.push_back(track.wall);
  }
  const std::uint64_t seed = derive(plan_.seed, 0x100c + number);
  estimate_ = estimate(decisive, plan_.rule, number, seed);
  if (!by_cpu_ || estimate_.decision != Decision::faster) return estimate_.decision;
  // Less CPU time in more wall time would be no gain: it sleeps, or waits for something.
  const Estimate by_wall = estimate(wall, plan_.rule, number, seed);
  if (by_wall.speedup.high < 1) return Decision::not_faster;
  if (by_wall.speedup.median >= 1) return Decision::faster;
  // On a busy machine wall time is mostly the wait for a turn and says little; whether the candidate waits for anything
  // else, which CPU time does not show, the system's count of its waits tells.
  if (busy() && waits_like_the_original()) return Decision::faster;
  return number + 1 == plan_.rule.looks.size() ? Decision::not_faster : Decision::undecided;
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
  measurement.clock = by_cpu_ ? "process-cpu" : "wall";
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    const Track& track = tracks_[i];
    measurement.problems.push_back({.label = track.c.label,
                                    .weight = track.wall.weight,
                                    .speedup = i < estimate_.per_problem.size() ? estimate_.per_problem[i] : Speedup{},
                                    .reference_seconds = median(track.decisive.reference),
                                    .candidate_seconds = median(track.decisive.candidate),
                                    .reference_samples = thinned(track.decisive.reference),
                                    .candidate_samples = thinned(track.decisive.candidate)});
  }
}

Result<Timing> Timer::run() {
  timespec resolution{};
  by_cpu_ = spec_.threads == 1 && clock_getres(CLOCK_PROCESS_CPUTIME_ID, &resolution) == 0 && resolution.tv_sec == 0 &&
            resolution.tv_nsec <= 1000;
  HONE_CHECK(prepare());
  if (!timing_.misdeed.empty()) return std::move(timing_);
  const double candidate_cpu = candidate_.cpu_seconds();
  candidate_cpu_accounted_ = cpu_total_ = wall_total_ = 0;
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
  const double outside = candidate_.cpu_seconds() - candidate_cpu - candidate_cpu_accounted_;
  // Threads that wait for work spin for a moment; one that works on would take as long as the calls do.
  const double allowed_share = spec_.threads == 1 ? 0.1 : 0.7;
  if (outside > allowed_share * candidate_cpu_accounted_ + 5e-3)
    timing_.misdeed = fmt::format("works while it is not timed: {:.3g} s beside {:.3g} s in its calls", outside,
                                  candidate_cpu_accounted_);
  check_for_cheats();
  report(now() - start);
  return std::move(timing_);
}

}  // namespace hone::evaluate
