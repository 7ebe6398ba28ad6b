#include "tool/judge/verify/size_passes.h"

#include <algorithm>
#include <set>
#include <utility>

#include "tool/base/random.h"
#include "tool/judge/data/pattern.h"
#include "tool/judge/data/size_plan.h"

namespace hone::judge {
namespace {

constexpr unsigned perturbed_cases = 18, held_out_cases = 80;  // some milliseconds each
constexpr std::size_t perturbed_memory = 32u << 20;  // of a case's arrays: drawing more takes longer than a call
constexpr double residue_limit = 0.05;               // seconds of the original, for one of many cases
constexpr double slow_for_large = 0.02;  // seconds of a declared problem, of which larger ones are not tried in a trial
constexpr std::size_t most_larger = 2;   // that the race checker gets
// Than declared, in all or along one size: sums in the original's order have lost digits there.
constexpr double much_larger = 16;

double residues_budget(bundle::Depth depth) {
  return depth == bundle::Depth::trial ? 0.03 : depth == bundle::Depth::thorough ? 0.3 : 1.2;
}

double large_budget(bundle::Depth depth) {
  return depth == bundle::Depth::trial ? 0.03 : depth == bundle::Depth::thorough ? 0.2 : 0.8;
}

double crowds_budget(bundle::Depth depth) {
  return depth == bundle::Depth::thorough ? 0.3 : 1.2;
}

// Sizes beyond a block: few cases of milliseconds, which a busy machine shall not leave out.
constexpr double first_grace = 8;  // times the pass's own budget

// A block's number in 16 bits is not enough for more elements than these, in blocks of 128 or of 256.
long long vast_elements(bundle::Depth depth) {
  return depth == bundle::Depth::held_out ? 1LL << 24 : 1LL << 23;
}

constexpr std::size_t vast_memory = 512u << 20;  // of a device, for all copies of all arrays
constexpr double corners_share = 0.5;            // of the time that crowds have
constexpr double vast_seconds = 0.1;             // of the original, as its declared problem foretells

struct LargeBounds {
  double seconds;      // that the original may be expected to take
  std::size_t memory;  // for all arrays
  unsigned cases;
};
LargeBounds large_bounds(bundle::Depth depth) {
  if (depth == bundle::Depth::trial) return {0.004, 16u << 20, 12};
  return depth == bundle::Depth::thorough ? LargeBounds{0.03, 128u << 20, 100} : LargeBounds{0.15, 512u << 20, 1000};
}

}  // namespace

std::size_t SizePasses::largest_bytes(bundle::Depth depth) {
  return large_bounds(depth).memory;
}

Found SizePasses::judge_sizes(const std::vector<OtherSizes>& sizes, double until) {
  for (const OtherSizes& size : sizes) {
    if (runs_.dropped() >= Casebook::most_dropped || (book_.spent() > until && book_.survived.size() >= 4)) break;
    HONE_TRY(auto made, runs_.maker().make(size.problem, size.overrides, perturbed_memory));
    if (!made) continue;
    HONE_TRY(const auto finding, book_.judge.judge(*made, {}));
    if (finding) return finding;
    if (runs_.last_dropped())
      runs_.tell_dropped_size(*made);
    else
      book_.survived.push_back(std::move(*made));
  }
  return nothing();
}

Found SizePasses::judge_perturbed() {
  std::vector<std::vector<runner::Scalar>> scalars;
  for (const Case& c : book_.declared) scalars.push_back(c.scalars);
  return judge_sizes(other_sizes(spec_, scalars, perturbed_cases, derive(plan_.seed, 0x9e87)), book_.budget);
}

// Sizes from one to the declared, which no trial gets.
Found SizePasses::judge_held_out() {
  if (plan_.depth == bundle::Depth::trial) return nothing();
  std::vector<std::vector<runner::Scalar>> scalars;
  for (const Case& c : book_.declared) scalars.push_back(c.scalars);
  const unsigned count = plan_.depth == bundle::Depth::held_out ? held_out_cases : held_out_cases / 4;
  return judge_sizes(held_out_sizes(spec_, scalars, count, derive(plan_.seed, 0x4e1d)), 2 * book_.budget);
}

Found SizePasses::judge_neighbors(const Case& declared) {
  const unsigned reach = plan_.depth == bundle::Depth::held_out ? 8 : 1;
  for (const OtherSizes& neighbor : neighbors(spec_, declared.scalars, declared.problem, reach)) {
    if (book_.spent() > book_.budget || runs_.dropped() >= Casebook::most_dropped) break;
    HONE_TRY(const auto made, runs_.maker().make(neighbor.problem, neighbor.overrides, plan_.memory_bytes));
    if (!made) continue;
    HONE_TRY(const auto finding, book_.judge.judge(*made, {}));
    if (finding) return finding;
    if (runs_.last_dropped()) runs_.tell_dropped_size(*made);
  }
  return nothing();
}

// Every residue that is left over by vectors and tiles. Many cases, each looked at once.
Found SizePasses::judge_residues() {
  const unsigned rounds = plan_.depth == bundle::Depth::trial ? 1 : plan_.depth == bundle::Depth::thorough ? 2 : 6;
  const double until = book_.spent() + residues_budget(plan_.depth);
  for (unsigned round = 0; round < rounds; ++round) {
    const auto problem = (derive(plan_.seed, 0x4e51) + round) % book_.declared.size();
    // Each residue once even where the machine is busy, but in a trial.
    const bool first = round == 0 && plan_.depth != bundle::Depth::trial;
    HONE_TRY(const auto finding,
             judge_residues_of(book_.declared[problem], first ? until + 8 * residues_budget(plan_.depth) : until));
    if (finding) return finding;
  }
  return nothing();
}

// Sizes that are declared equal differ, until the original refuses that.
Found SizePasses::judge_residues_of(const Case& declared, double until) {
  HONE_TRY(const Sizes sizes, book_.sizes(declared.problem));
  const std::uint64_t seed = runs_.next_seed();
  const auto apart = residue_sizes(spec_, declared, sizes, false, seed);
  const auto tied = residue_sizes(spec_, declared, sizes, true, seed);
  const unsigned dropped = runs_.dropped();
  for (std::size_t n = 0; n < apart.size(); ++n) {
    if (book_.spent() > until || runs_.dropped() - dropped >= book_.most_dropped_of_kind()) break;
    const OtherSizes& size = runs_.dropped() == dropped ? apart[n] : tied[n];
    HONE_TRY(const auto made, runs_.maker().make(size.problem, size.overrides, perturbed_memory));
    if (!made) continue;
    HONE_TRY(const auto finding, book_.judge.glance(*made, {.reference_limit = residue_limit}));
    if (finding) return finding;
  }
  return nothing();
}

// Sizes beyond the declared ones: of every problem, or of the largest that is not slow.
Found SizePasses::judge_large() {
  const double until = book_.spent() + large_budget(plan_.depth);
  if (plan_.depth != bundle::Depth::trial) {
    for (const Case& declared : book_.declared) {
      HONE_TRY(const auto finding, judge_large_of(declared, until));
      if (finding) return finding;
    }
    return runs_.traits().numbers_blocks ? judge_vast() : nothing();
  }
  const Case* largest = &book_.quickest();
  for (const Case& declared : book_.declared)
    if (declared.bytes() > largest->bytes() && book_.seconds(declared) < slow_for_large) largest = &declared;
  return judge_large_of(*largest, until);
}

// Else, beside others' work, a kernel would seem too slow for any larger size. A winner's bounds have room for that,
// and trials leave it to the finals.
double SizePasses::crowding() const {
  return plan_.depth == bundle::Depth::thorough ? runs_.traits().crowding : 1;
}

// With the declared distance between rows, many short rows take too much memory, and rows that are longer than it lie
// in each other. So the least of the sizes with which there is a case is the distance, too.
Result<std::optional<Case>> SizePasses::make_large(const OtherSizes& size, const Sizes& strides, std::size_t memory) {
  HONE_TRY(std::optional<Case> made, runs_.maker().make(size.problem, size.overrides, memory));
  if (made || std::ranges::find(strides, true) == strides.end()) return made;
  std::set<long long> distances;
  for (const Override& one : size.overrides) distances.insert(one.value);
  for (const long long distance : distances) {
    std::vector<Override> overrides = size.overrides;
    for (unsigned i = 0; i < strides.size(); ++i)
      if (strides[i]) overrides.push_back({i, distance});
    HONE_TRY(made, runs_.maker().make(size.problem, overrides, memory));
    if (made) return made;
  }
  return std::optional<Case>();
}

Found SizePasses::judge_large_of(const Case& declared, double until) {
  HONE_TRY(const Sizes sizes, book_.sizes(declared.problem));
  HONE_TRY(const Sizes strides, runs_.maker().strides(declared));
  const LargeBounds bounds = large_bounds(plan_.depth);
  const unsigned dropped = runs_.dropped();
  unsigned judged = 0;
  const double late = plan_.depth == bundle::Depth::trial ? until : until + first_grace * large_budget(plan_.depth);
  for (const auto& [size, work, longest, first] :
       large_sizes(spec_, declared, sizes, book_.constants(), runs_.next_seed())) {
    const double expected = std::max(work, 0.1) * book_.seconds(declared);
    if (book_.spent() > (first ? late : until) || runs_.dropped() - dropped >= book_.most_dropped_of_kind() ||
        judged >= bounds.cases)
      break;
    if (expected > bounds.seconds * crowding()) continue;
    HONE_TRY(const auto made, make_large(size, strides, bounds.memory));
    if (!made) continue;
    ++judged;
    HONE_TRY(const auto finding,
             book_.judge.glance(*made, {.reference_limit = bounds.seconds * crowding() + 10 * expected,
                                        .askew = plan_.depth != bundle::Depth::trial,
                                        .coarse_without_truth = std::max(work, longest) > much_larger}));
    if (finding) return finding;
    if (!runs_.last_dropped() && work > 1 && book_.larger.size() < most_larger)
      book_.larger.push_back({*made, expected});
  }
  return nothing();
}

// Once, and whatever the time: a grid of so many blocks is seldom tried elsewhere.
Found SizePasses::judge_vast() {
  const Case& declared = book_.quickest();
  HONE_TRY(const Sizes sizes, book_.sizes(declared.problem));
  const auto vast = vast_size(spec_, declared, sizes, vast_elements(plan_.depth), runs_.next_seed());
  const double most = vast_seconds * crowding();
  if (!vast || vast->work * book_.seconds(declared) > most) return nothing();
  HONE_TRY(const auto made, runs_.maker().make(vast->size.problem, vast->size.overrides, vast_memory));
  if (!made) return nothing();
  return book_.judge.glance(*made, {.reference_limit = 4 * most, .coarse_without_truth = true});
}

// Ties and sorted data on large sizes. What the original takes for such data, random ones do not tell, so each case is
// tried. No trial gets them.
Found SizePasses::judge_crowds() {
  if (plan_.depth == bundle::Depth::trial) return nothing();
  const double until = book_.spent() + crowds_budget(plan_.depth);
  for (const Case& declared : book_.declared) {
    HONE_TRY(const auto finding, judge_crowds_of(declared, until));
    if (finding) return finding;
  }
  const double until_corners = book_.spent() + corners_share * crowds_budget(plan_.depth);
  for (const Case& declared : book_.declared) {
    HONE_TRY(const auto finding, judge_corners_of(declared, until_corners));
    if (finding) return finding;
  }
  return nothing();
}

// All at the ends of their ranges at once: there sums are largest, and what is far from all of them meets.
Found SizePasses::judge_corners_of(const Case& declared, double until) {
  HONE_TRY(const Sizes sizes, book_.sizes(declared.problem));
  std::vector<std::vector<Override>> scalars = scalar_corners(spec_, declared, sizes);
  if (scalars.empty()) scalars.emplace_back();
  for (const std::vector<Override>& ends : scalars) {
    if (book_.spent() > until) break;
    std::vector<Override> overrides = sizes_of(declared.overrides, sizes);
    overrides.insert(overrides.end(), ends.begin(), ends.end());
    HONE_TRY(const auto like, runs_.maker().make(declared.problem, overrides, large_bounds(plan_.depth).memory));
    if (!like) continue;
    HONE_TRY(const auto finding, book_.patterns.judge(*like, corners(spec_, runs_.may_know_the_truth(*like)), false,
                                                      until - book_.spent()));
    if (finding) return finding;
  }
  return nothing();
}

Found SizePasses::judge_crowds_of(const Case& declared, double until) {
  HONE_TRY(const Sizes sizes, book_.sizes(declared.problem));
  const unsigned dropped = runs_.dropped();
  for (const OtherSizes& size : crowded_sizes(spec_, declared, sizes, book_.constants(), runs_.next_seed())) {
    if (book_.spent() > until || runs_.dropped() - dropped >= 4 * book_.most_dropped_of_kind()) break;
    HONE_TRY(const auto like, runs_.maker().make(size.problem, size.overrides, large_bounds(plan_.depth).memory));
    if (!like) continue;
    HONE_TRY(const auto finding,
             book_.patterns.judge(*like, crowds(spec_, runs_.may_know_the_truth(*like)), false, until - book_.spent()));
    if (finding) return finding;
  }
  return nothing();
}

}  // namespace hone::judge
