#include "tool/judge/time/stopwatch.h"

#include <fmt/format.h>
#include <time.h>

#include <algorithm>
#include <cmath>

#include "tool/base/median.h"
#include "tool/judge/bench/failure_text.h"
#include "tool/model/workload_kernel.h"

namespace hone::judge {
namespace {

constexpr double shortest_stay = 10e-3;       // of outputs on the same physical pages
constexpr unsigned most_calls = 4096;         // of one sample
constexpr double clear_ratio = 3;             // of what is much faster: a trial's samples may be rough
constexpr double comparing_processes = 0.15;  // seconds of taking pairs, all problems together
constexpr std::size_t fewest_compared = 16;   // pairs of each
constexpr double comparing_share = 0.1;       // of the time, for comparing outputs
constexpr unsigned most_compared = 8;         // slots of one pair: reading them cools the caches
constexpr double making_timeout = 10;         // seconds, to make a workload or to hand its results over
constexpr double first_comparing = 10e-3;     // seconds, of the first batch as a whole

// Standard error of a median, from the values' median distance to it, as if they were normal.
double error_of_median(const std::vector<double>& values, double middle) {
  std::vector<double> distances;
  for (const double value : values) distances.push_back(std::abs(value - middle));
  return 1.253 * 1.483 * median(distances) / std::sqrt(static_cast<double>(std::max<std::size_t>(values.size(), 1)));
}

}  // namespace

Stopwatch::Stopwatch(const TimerSetup& setup, std::vector<Case> declared, std::vector<Bench::Scales> scales)
    : spec_(setup.spec),
      plan_(setup.plan),
      clock_(setup.clock),
      ground_(setup.ground),
      reference_(setup.reference),
      candidate_(setup.candidate),
      object_(setup.object),
      free_alone_(setup.idle_free),
      free_idle_(!setup.object),
      random_(derive(plan_.seed, 0x71e2)),
      stretches_(derive(plan_.seed, 0xc0a9)) {
  for (std::size_t i = 0; i < declared.size(); ++i) {
    Track track{.c = std::move(declared[i])};
    if (i < scales.size()) track.scales = std::move(scales[i]);
    track.set = static_cast<unsigned>(i) + 1;  // 0 is the verifier's
    track.timeout = plan_.timeout_seconds;
    track.decisive.weight = track.wall.weight = spec_.problems[track.c.problem].weight;
    tracks_.push_back(std::move(track));
  }
  // A problem of no weight is verified, not timed; if none has any, all count alike.
  if (std::ranges::any_of(tracks_, [](const Track& t) { return t.wall.weight > 0; }))
    std::erase_if(tracks_, [](const Track& t) { return t.wall.weight <= 0; });
  else
    for (Track& track : tracks_) track.decisive.weight = track.wall.weight = 1;
}

bool Stopwatch::blame(Bench::Side side, const Track& track, const RunnerFailure& failure) {
  misdeed_.of_original = side == Bench::Side::reference || object_;
  misdeed_.sentence = fmt::format("{}{} (while timed, {})", misdeed_.of_original ? "the original " : "",
                                  describe(failure), track.c.label);
  misdeed_.detail = failure.text;
  return false;
}

Result<void> Stopwatch::add_pool(Track& track, unsigned calls) {
  const bool restores =
      std::ranges::any_of(spec_.parameters, [](const Parameter& p) { return p.pointer && p.role == Role::inout; });
  const std::size_t slots = ground_.slots({.slot_bytes = std::max<std::size_t>(Pool::bytes_per_slot(spec_, track.c), 1),
                                           .calls = calls,
                                           .problems = tracks_.size(),
                                           .restores = restores});
  track.c.seed = random_.bits();
  track.next_slot = 0;
  HONE_TRY(track.pool, Pool::make(spec_, track.c, static_cast<unsigned>(slots), ground_));
  return {};
}

bool Stopwatch::map(Track& track) {
  for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
    const double cpu = runner(side).cpu_seconds();
    if (auto mapped = track.pool.map_into(runner(side), track.set, side); !mapped)
      return blame(side, track, mapped.error());
    worked(side).mapping += runner(side).cpu_seconds() - cpu;
  }
  return true;
}

// Often, for many draws of pages, and not so often that it takes more than a sixth of the time.
bool Stopwatch::move_when_due(Track& track) {
  const double start = now();
  if (!track.pool.moves() || !track.moves || start < track.next_move) return true;
  if (auto moved = track.pool.move_outputs(random_.bits()); !moved) {
    track.moves = false;  // no memory for it: the pages at hand have to do
    track.decisive.draws = track.wall.draws = 0;
    return true;
  }
  if (!map(track)) return false;
  track.decisive.draws = ++track.wall.draws;
  track.next_move = now() + std::max(shortest_stay, 5 * (now() - start));
  return true;
}

Result<void> Stopwatch::make_pools() {
  for (Track& track : tracks_)
    if (track.pool.slots() == 0) HONE_CHECK(add_pool(track, 1));
  return {};
}

Result<void> Stopwatch::prepare() {
  timespec resolution{};
  by_cpu_ = spec_.threads + ground_.traits().runtime_threads == 1 &&
            clock_getres(CLOCK_PROCESS_CPUTIME_ID, &resolution) == 0 && resolution.tv_sec == 0 &&
            resolution.tv_nsec <= 1000;
  HONE_CHECK(make_pools());
  for (Track& track : tracks_) {
    if (!map(track)) return {};
    HONE_CHECK(size_samples(track));
  }
  if (object_ && misdeed_.sentence.empty() && compare_processes()) {
    if (auto loaded = candidate_.load(*object_); !loaded) {
      object_ = nullptr;
      blame(Bench::Side::candidate, tracks_.front(), loaded.error());
      return {};
    }
    object_ = nullptr;
    for (Track& track : tracks_) HONE_CHECK(size_samples(track));
  }
  begin();
  return {};
}

Result<void> Stopwatch::size_samples(Track& track) {
  if (!misdeed_.sentence.empty()) return {};
  track.calls = 1;
  Batch batch;
  if (!warm_up(track, batch)) return {};
  const SampleLimits& limits = ground_.traits().samples;
  const unsigned most = has_workload(spec_) ? runner::most_prepared : most_calls;
  // The first guess holds the round trip, which the calls of a batch share: longer batches mend it.
  for (int guess = 0; guess < 3; ++guess) {
    const bool rough = plan_.depth == bundle::Depth::trial && batch.slower > clear_ratio * batch.faster;
    const double longest = rough ? limits.rough : limits.longest;
    const double room = std::min(limits.shortest / batch.faster, std::max(1.0, longest / batch.slower));
    const auto calls = static_cast<unsigned>(std::clamp(std::ceil(track.calls * room), 1.0, static_cast<double>(most)));
    if (calls > track.pool.slots() && ground_.traits().slots_follow_calls) {
      HONE_CHECK(add_pool(track, calls));
      if (!map(track)) return {};
    }
    const unsigned before = track.calls;
    track.calls = std::min(calls, track.pool.slots());
    if (track.calls <= before || !take_batch(track, batch)) break;
  }
  return {};
}

// The original on both sides. What is taken here says nothing of the candidate, and is forgotten.
bool Stopwatch::compare_processes() {
  for (Track& track : tracks_) {
    const double until = now() + comparing_processes / static_cast<double>(tracks_.size());
    while (now() < until || track.wall.reference.size() < fewest_compared)
      if (!take_pair(track)) return false;
    std::vector<double> more;
    for (std::size_t i = 0; i < track.wall.reference.size(); ++i)
      more.push_back(track.wall.candidate[i] - track.wall.reference[i]);
    track.offset.more = median(more);
    track.offset.error = error_of_median(more, track.offset.more);
    for (statistics::PairedSamples* samples : {&track.wall, &track.decisive}) {
      samples->reference.clear();
      samples->candidate.clear();
    }
    track.spent = 0;
  }
  comparing_ = 0;
  std::vector<double> free = free_after_[0];
  free.insert(free.end(), free_after_[1].begin(), free_after_[1].end());
  free_alone_ = median(std::move(free));
  return true;
}

// The best of a few single calls of each side.
bool Stopwatch::warm_up(Track& track, Batch& batch) {
  double best[2] = {1e9, 1e9};
  for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
    double& seconds = best[side == Bench::Side::candidate];
    for (int repeat = 0; repeat < 3 && (repeat == 0 || seconds < 0.02); ++repeat) {
      Sample sample;
      if (repeat > 0) track.pool.refresh(0, 1, random_.bits());
      const std::uint64_t key = random_.bits();
      track.pool.hand_over(side, 0, 1, key);
      if (!take_sample(track, side, 0, key, sample)) return false;
      seconds = std::min(seconds, sample.wall);
    }
    if (side == Bench::Side::reference)
      track.timeout = std::min(std::max(1.0, 20 * seconds), std::max(plan_.timeout_seconds, 2 * seconds));
  }
  batch = {std::max(std::min(best[0], best[1]), 1e-8), std::max({best[0], best[1], 1e-8})};
  return true;
}

bool Stopwatch::take_batch(Track& track, Batch& batch) {
  Sample samples[2];
  track.pool.refresh(0, track.calls, random_.bits(), fresh());
  for (const auto side : {Bench::Side::reference, Bench::Side::candidate}) {
    const std::uint64_t key = random_.bits();
    track.pool.hand_over(side, 0, track.calls, key);
    if (!take_sample(track, side, 0, key, samples[side == Bench::Side::candidate])) return false;
  }
  batch = {std::max(std::min(samples[0].wall, samples[1].wall), 1e-8), std::max(samples[0].wall, samples[1].wall)};
  return true;
}

// Nothing of an earlier sample is found by a later one. Not in its time, nor beside the calls.
bool Stopwatch::renew(Track& track, Bench::Side side, std::uint64_t key) {
  const double before = runner(side).cpu_seconds();
  if (auto renewed = runner(side).renew(track.set, key, false); !renewed) return blame(side, track, renewed.error());
  worked(side).renewing += runner(side).cpu_seconds() - before;
  return true;
}

// Arguments are made and results handed over outside of the time. Who leaves work for then works beside the calls.
bool Stopwatch::prepare(Track& track, Bench::Side side, const CallPlan& plan) {
  const double before = runner(side).cpu_seconds();
  if (auto made = runner(side).prepare(track.set, plan, making_timeout * track.calls); !made)
    return blame(side, track, made.error());
  worked(side).mapping += runner(side).cpu_seconds() - before;
  return true;
}

bool Stopwatch::collect(Track& track, Bench::Side side) {
  const double before = runner(side).cpu_seconds();
  if (auto collected = runner(side).collect(making_timeout * track.calls); !collected)
    return blame(side, track, collected.error());
  worked(side).mapping += runner(side).cpu_seconds() - before;
  return true;
}

bool Stopwatch::take_sample(Track& track, Bench::Side side, unsigned first_slot, std::uint64_t key, Sample& sample) {
  if (!renew(track, side, key)) return false;
  if (ground_.traits().waits_for_work) {
    const double before = runner(side).cpu_seconds();
    if (auto awake = runner(side).wake(); !awake) return blame(side, track, awake.error());
    worked(side).mapping += runner(side).cpu_seconds() - before;
  }
  const CallPlan plan{.manner = has_workload(spec_) ? runner::Manner::prepared : runner::Manner::in_place,
                      .first_slot = first_slot,
                      .slots = track.pool.slots(),
                      .calls = track.calls,
                      .result_poison = static_cast<unsigned char>(random_.bits())};
  if (has_workload(spec_) && !prepare(track, side, plan)) return false;
  const double cpu = runner(side).cpu_seconds(), wall = now();
  auto result = runner(side).call(track.set, plan, track.timeout * track.calls + 1);
  sample.wall = now() - wall;
  sample.cpu = runner(side).cpu_seconds() - cpu;
  if (!result) return blame(side, track, result.error());
  if (has_workload(spec_) && !collect(track, side)) return false;
  free_after_[side == Bench::Side::candidate].push_back(ground_.seconds_until_free());
  if (side == Bench::Side::candidate) sample_seconds_.push_back(sample.wall);
  cpu_total_ += sample.cpu;
  wall_total_ += sample.wall;
  worked(side).calls += sample.cpu;
  return true;
}

bool Stopwatch::outputs_agree(Track& track, unsigned slot) {
  const double start = now();
  const std::string wrong = track.pool.compare(slot, track.scales, stretches_.bits());
  comparing_ += now() - start;
  if (wrong.empty()) return true;
  misdeed_.sentence = "right at first, then wrong while timed: " + wrong;
  return false;
}

bool Stopwatch::take_pair(Track& track) {
  const double start = now();
  if (!move_when_due(track)) return false;
  const unsigned slots = track.pool.slots(), first = track.next_slot;
  track.pool.refresh(first, track.calls, random_.bits(), fresh());
  track.next_slot = (first + track.calls) % slots;
  const std::uint64_t key = random_.bits();
  Sample samples[2];
  using Side = Bench::Side;
  const bool candidate_first = random_.bits() & 1;
  for (const Side side :
       {candidate_first ? Side::candidate : Side::reference, candidate_first ? Side::reference : Side::candidate}) {
    track.pool.hand_over(side, first, track.calls, key);
    if (!take_sample(track, side, first, key, samples[side == Side::candidate])) return false;
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
bool Stopwatch::batch_agrees(Track& track, unsigned first) {
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

void Stopwatch::begin() {
  started_[0] = reference_.cpu_seconds();
  started_[1] = candidate_.cpu_seconds();
  work_[0] = work_[1] = {};
  cpu_total_ = wall_total_ = 0;
  for (std::vector<double>& free : free_after_) free.clear();
  sample_seconds_.clear();
  reference_waits_ = reference_.waits();
  candidate_waits_ = candidate_.waits();
}

Work Stopwatch::work(Bench::Side side) const {
  const unsigned i = side == Bench::Side::candidate;
  Work work = work_[i];
  work.whole = (i ? candidate_ : reference_).cpu_seconds() - started_[i];
  return work;
}

Afterwards Stopwatch::afterwards() const {
  return {.alone = free_alone_,
          .idle = free_idle_,
          .reference = median(free_after_[0]),
          .candidate = median(free_after_[1]),
          .sample = median(sample_seconds_)};
}

// Time is shared by weight; each problem starts with one pair.
Stopwatch::Track& Stopwatch::next_track() {
  return *std::ranges::min_element(tracks_, {}, [](const Track& track) { return track.spent / track.wall.weight; });
}

Stopwatch::Track& Stopwatch::scarcest_track() {
  return *std::ranges::min_element(tracks_, {}, [](const Track& track) { return track.wall.reference.size(); });
}

bool Stopwatch::measure_until(double deadline) {
  do {
    if (!take_pair(next_track())) return false;
  } while (now() < deadline);
  return true;
}

bool Stopwatch::waits_like_the_original() const {
  const auto reference = static_cast<double>(reference_.waits() - reference_waits_);
  const auto candidate = static_cast<double>(candidate_.waits() - candidate_waits_);
  return candidate <= 1.05 * reference + 10;
}

}  // namespace hone::judge
