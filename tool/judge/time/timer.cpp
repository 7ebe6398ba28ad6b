#include "tool/judge/time/timer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "tool/base/median.h"
#include "tool/model/workload_kernel.h"

namespace hone::judge {
namespace {

using Side = Bench::Side;
using Track = Stopwatch::Track;

constexpr std::size_t most_samples_kept =
    50'000;                              // all of them, but for the fastest of kernels: who asked computes again
constexpr double noisy_spread = 0.05;    // of the pairs' ratios, between the quartiles
constexpr std::size_t fewest_pairs = 5;  // an interval of fewer says nothing
// Wall time has to show half of the gain, since the round trip to the process dilutes it; of large gains, this much.
constexpr double enough_by_wall = 2;
constexpr double patience = 4;  // times the last look, for kernels so slow that it saw too few pairs

// Between the quartiles of the pairs' log ratios.
double spread_of(const statistics::PairedSamples& samples) {
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

Timer::Timer(const TimerSetup& setup, std::vector<Case> declared, std::vector<Bench::Scales> scales)
    : spec_(setup.spec),
      plan_(setup.plan),
      ground_(setup.ground),
      threads_(spec_.threads + ground_.traits().runtime_threads),
      compared_(!ground_.traits().processes_differ || setup.object),
      waiting_(setup.waiting),
      stopwatch_(setup, std::move(declared), std::move(scales)) {}

bool Timer::failed() {
  const Stopwatch::Misdeed& misdeed = stopwatch_.misdeed();
  timing_.misdeed = misdeed.sentence;
  timing_.detail = misdeed.detail;
  timing_.of_original = misdeed.of_original;
  return !misdeed.sentence.empty();
}

statistics::PairedSamples Timer::charged(const Track& track, statistics::PairedSamples samples) const {
  const OffsetCorrection offset = correct_offset(compared_ ? std::optional(track.offset) : std::nullopt,
                                                 median(samples.reference), median(samples.candidate));
  for (double& seconds : samples.candidate) seconds = std::max(seconds - offset.seconds, 0.0) * charge_;
  samples.common_error = offset.common_error;
  return samples;
}

statistics::Decision Timer::look(unsigned number) {
  charge_ = charge_for_late_work(stopwatch_.work(Side::reference), stopwatch_.work(Side::candidate), threads_) *
            charge_for_device_work(stopwatch_.afterwards());
  timing_.remark.clear();
  std::vector<statistics::PairedSamples> decisive, wall;
  for (const Track& track : stopwatch_.tracks()) {
    decisive.push_back(charged(track, track.decisive));
    wall.push_back(charged(track, track.wall));
  }
  estimate_ = statistics::estimate(decisive, plan_.rule, number);
  if (!stopwatch_.by_cpu() || estimate_.decision != statistics::Decision::faster) return estimate_.decision;
  // A median knows nothing of a few slow samples: what is worked in them for the others must not pay.
  if (const double sums = speedup_of_sums(decisive); sums <= 1) {
    timing_.remark = fmt::format("; not confirmed by the sum of all samples: {:.2f}x", sums);
    return statistics::Decision::undecided;
  }
  // Less CPU time in more wall time would be no gain: it sleeps, or waits for something.
  const statistics::Estimate by_wall = statistics::estimate(wall, plan_.rule, number);
  const bool only_its_turn = busy() && stopwatch_.waits_like_the_original();
  if (by_wall.speedup.high < 1 && !only_its_turn) return statistics::Decision::not_faster;
  const double confirming = std::min(std::sqrt(estimate_.speedup.median), enough_by_wall);
  if (by_wall.speedup.median >= 1 && by_wall.speedup.high >= confirming) return statistics::Decision::faster;
  // On a busy machine wall time is mostly the wait for a turn and says little; whether the candidate waits for anything
  // else, which CPU time does not show, the system's count of its waits tells.
  if (only_its_turn && by_wall.speedup.high >= 1) return statistics::Decision::faster;
  timing_.remark = fmt::format("; not confirmed by wall time: {:.2f}x ({:.2f}..{:.2f})", by_wall.speedup.median,
                               by_wall.speedup.low, by_wall.speedup.high);
  return statistics::Decision::undecided;
}

// Of the problems, weighted.
double Timer::speedup_of_sums(const std::vector<statistics::PairedSamples>& problems) const {
  double logarithm = 0, weight = 0;
  for (const statistics::PairedSamples& samples : problems) {
    const auto sum = [](const std::vector<double>& seconds) {
      return std::max(std::accumulate(seconds.begin(), seconds.end(), 0.0), 1e-10);
    };
    logarithm += samples.weight * std::log(sum(samples.reference) / sum(samples.candidate));
    weight += samples.weight;
  }
  return std::exp(logarithm / weight);
}

bool Timer::busy() const {
  return threads_ == 1 && stopwatch_.cpu_seconds() < 0.9 * stopwatch_.wall_seconds();
}

// What a call must move at least against what the ground was measured to copy.
std::string Timer::roofline() const {
  const double most = ground_.copied_per_second();
  std::string text;
  for (const Track& track : stopwatch_.tracks()) {
    const double moved = least_moved(spec_, track.c);
    const double seconds = median(track.wall.candidate);
    if (seconds <= 0 || most <= 0) continue;
    text += fmt::format("{}{}: {:.3g} MB in {:.3g} us, {:.0f}% of the {:.3g} TB/s that this device copies",
                        text.empty() ? "" : "\n", track.c.label, moved * 1e-6, seconds * 1e6,
                        100 * moved / seconds / most, most * 1e-12);
  }
  return text;
}

// Faster than its outputs could be stored: the work was not done, or not then.
void Timer::check_for_cheats() {
  if (has_workload(spec_)) return;  // results are written outside of the time
  for (const Track& track : stopwatch_.tracks()) {
    if (track.wall.candidate.empty()) continue;  // a short look need not reach every problem
    double stored = 0;
    for (std::size_t i = 0; i < spec_.parameters.size(); ++i)
      if (spec_.parameters[i].pointer && spec_.parameters[i].role == Role::out)
        stored += static_cast<double>(track.c.arrays[i].bytes);
    const double floor = stored / ground_.stored_per_second(spec_.threads);
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
  timing_.roofline = roofline();
  measurement.noisy = busy();
  timing_.cpu_share =
      threads_ == 1 && stopwatch_.wall_seconds() > 0 ? stopwatch_.cpu_seconds() / stopwatch_.wall_seconds() : 1;
  for (const Track& track : stopwatch_.tracks()) timing_.spread = std::max(timing_.spread, spread_of(track.decisive));
  timing_.too_noisy = busy() || timing_.spread > noisy_spread;
  if (charge_ > 1)
    timing_.remark += fmt::format("; charged with {:.1f}% for work beside its calls", 100 * (charge_ - 1));
  measurement.clock = stopwatch_.by_cpu() ? "process-cpu" : "wall";
  const std::vector<Track>& tracks = stopwatch_.tracks();
  const bool moves_are_known = ground_.copied_per_second() > 0;
  for (std::size_t i = 0; i < tracks.size(); ++i) {
    const Track& track = tracks[i];
    const statistics::PairedSamples decisive = charged(track, track.decisive);
    measurement.problems.push_back({.label = track.c.label,
                                    .weight = track.wall.weight,
                                    .speedup = i < estimate_.per_problem.size() ? estimate_.per_problem[i] : Speedup{},
                                    .reference_seconds = median(decisive.reference),
                                    .candidate_seconds = median(decisive.candidate),
                                    .reference_samples = thinned(decisive.reference),
                                    .candidate_samples = thinned(decisive.candidate),
                                    .bytes = moves_are_known ? least_moved(spec_, track.c) : 0,
                                    .common_error = decisive.common_error});
  }
}

Result<Timing> Timer::run() {
  HONE_CHECK(stopwatch_.prepare());
  if (failed()) return std::move(timing_);
  const double start = stopwatch_.now();
  const std::vector<double>& looks = plan_.rule.looks;
  for (unsigned number = 0; number < looks.size(); ++number) {
    const bool last = number + 1 == looks.size();
    stopwatch_.measure_until(start + looks[number]);
    while (last && !failed() && stopwatch_.now() < start + patience * looks.back() &&
           stopwatch_.scarcest_track().wall.reference.size() < fewest_pairs)
      stopwatch_.take_pair(stopwatch_.scarcest_track());
    if (failed()) return std::move(timing_);
    timing_.decision = look(number);
    if (timing_.decision != statistics::Decision::undecided) {
      timing_.measurement.decided = !last || timing_.decision == statistics::Decision::faster;
      break;
    }
  }
  const std::string late =
      refusal_of_late_work(stopwatch_.work(Side::reference), stopwatch_.work(Side::candidate), threads_, waiting_);
  timing_.misdeed = late.empty() ? refusal_of_device_work(stopwatch_.afterwards()) : late;
  check_for_cheats();
  timing_.late_work = !late.empty() && timing_.misdeed == late;
  report(stopwatch_.now() - start);
  return std::move(timing_);
}

}  // namespace hone::judge
