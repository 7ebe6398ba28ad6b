// What kind of kernel this is, guessed from its shape, the target, the roofline and the profile: enough to order notes
// by.
#include <algorithm>
#include <charconv>
#include <optional>

#include "tool/search/knowledge/knowledge.h"
#include "tool/search/knowledge/shape.h"
#include "tool/search/text/fenced_text.h"

namespace hone::search {
namespace {

void raise(Traits& traits, std::string_view tag, double weight) {
  double& now = traits[std::string(tag)];
  now = std::max(now, weight);
}

bool mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

// A matrix product, a window or all pairs has sums too, and is no reduction to whoever makes it faster.
void add_sums(Traits& traits, const Shape& shape) {
  const bool sums = shape.sum || shape.sum_into_array || shape.atomic_sum;
  if (shape.matrix_product && !shape.window) {
    for (const char* tag : {"gemm", "tiling"}) raise(traits, tag, 0.9);
    for (const char* tag : {"interchange", "packing", "unroll", "compute", "cache"}) raise(traits, tag, 0.5);
  } else if (shape.pairs && sums) {
    raise(traits, "pairwise", 0.9);
    raise(traits, "compute", 0.6);
  } else if (sums && !shape.scan && !shape.histogram) {
    raise(traits, "reduction", shape.window ? 0.4 : 0.8);
    raise(traits, "latency", 0.5);
    raise(traits, "unroll", 0.4);
  }
  if (shape.histogram) raise(traits, "histogram", 1);
  if (shape.scan) raise(traits, "scan", 1);
  if (shape.chain) raise(traits, "scan", 0.5);
  if (shape.extreme) raise(traits, "extreme", 1);
}

void add_accesses_seen(Traits& traits, const Shape& shape) {
  if (shape.window && !shape.moves) {
    raise(traits, "stencil", 0.9);
    if (shape.border) raise(traits, "border", 0.9);
  }
  if (shape.window && shape.short_loops) raise(traits, "short", 0.8);
  if (shape.gather) raise(traits, "gather", 0.9);
  if (shape.moves) raise(traits, "sort", 1);
  if (shape.turns) raise(traits, "transpose", 1);
  if (shape.turns) raise(traits, "strided", 0.4);
  if (shape.copy && !shape.turns && shape.depth == 1) raise(traits, "copy", 0.6);
  if (shape.strided && !shape.turns)
    for (const char* tag : {"strided", "interchange"}) raise(traits, tag, 0.9);
  if (shape.members) raise(traits, "layout", 0.9);
  if (shape.interleaved) raise(traits, "layout", 0.3);
  if (shape.rows && !shape.matrix_product)
    for (const char* tag : {"rows", "fusion"}) raise(traits, tag, 0.9);
  const bool plain = !shape.sums() && !shape.gather && !shape.window && !shape.histogram && !shape.atomic_sum;
  if (shape.depth == 1 && plain && !shape.scan && !shape.uneven)
    for (const char* tag : {"elementwise", "memory"}) raise(traits, tag, 0.6);
}

void add_cost(Traits& traits, const Shape& shape) {
  if (shape.exponential) raise(traits, "exp", 0.9);
  if (shape.logarithm) raise(traits, "log", 0.9);
  if (shape.functions()) {
    raise(traits, "transcendental", 0.9);
    raise(traits, "compute", 0.5);
  }
  if (shape.root) raise(traits, "root", 0.8);
  if (shape.division || shape.root) raise(traits, "division", 0.5);
  if (shape.choice) raise(traits, "branch", 0.9);
  if (shape.uneven) raise(traits, "uneven", 0.8);
  if (shape.launches_in_loop) raise(traits, "launch", 0.9);
  if (shape.sum_into_array) raise(traits, "aliasing", 0.5);
  if (shape.depth >= 2) raise(traits, "hoisting", 0.3);
  if (shape.depth >= 1) raise(traits, "vectorisation", 0.4);
}

bool is_device(const TaskFacts& facts) {
  return !facts.hardware.gpu.empty() || facts.language.starts_with("cuda");
}

// A launcher says nothing of the kernels that it launches, which are among what it reaches.
Shape kernel_shape(const TaskFacts& facts) {
  return is_device(facts) ? shape_of(facts.closure + "\n" + facts.definition, true) : shape_of(facts.definition, false);
}

void add_target(Traits& traits, const TaskFacts& facts) {
  if (is_device(facts)) return raise(traits, "cuda", 1);
  if (mentions(facts.target, "x86")) raise(traits, "x86", 1);
  if (mentions(facts.target, "avx2")) raise(traits, "avx2", 1);
  if (mentions(facts.target, "avx512f")) raise(traits, "avx512", 1);
  if (mentions(facts.target, "neon") || mentions(facts.target, "aarch64")) raise(traits, "neon", 1);
  if (facts.threads > 1) raise(traits, "threads", 0.8);
}

void add_roofline(Traits& traits, const TaskFacts& facts) {
  const Hardware& hardware = facts.hardware;
  std::uint64_t private_cache = 0;
  for (const CacheLevel& cache : hardware.caches)
    if (cache.level <= 2) private_cache = std::max(private_cache, cache.bytes);
  for (const TaskProblem& problem : facts.problems) {
    if (problem.bytes <= 0 || problem.operations <= 0) continue;
    const double bandwidth = problem.bandwidth > 0 ? problem.bandwidth : hardware.bandwidth;
    const double move = bandwidth > 0 ? problem.bytes / bandwidth : problem.bytes / 10;
    const double compute =
        hardware.peak_operations > 0 ? problem.operations / hardware.peak_operations : problem.operations / 40;
    raise(traits, move > compute ? "memory" : "compute", 0.7);
    if (private_cache > 0 && problem.bytes > static_cast<double>(private_cache)) raise(traits, "cache", 0.5);
  }
}

// The number in front of `words`, the largest where there are several: "0.9% mispredicted" has 0.9. nullopt: none.
std::optional<double> percent_of(std::string_view text, std::string_view words) {
  std::optional<double> found;
  for (std::size_t at = text.find(words); at != std::string_view::npos; at = text.find(words, at + 1)) {
    std::size_t begin = at;
    while (begin > 0 && (text[begin - 1] == '.' || (text[begin - 1] >= '0' && text[begin - 1] <= '9'))) --begin;
    double value = 0;
    if (std::from_chars(text.data() + begin, text.data() + at, value).ec == std::errc())
      found = std::max(found.value_or(0), value);
  }
  return found;
}

void lower(Traits& traits, std::string_view tag, double weight) {
  if (const auto found = traits.find(tag); found != traits.end()) found->second = std::min(found->second, weight);
}

// Words of a processor's counts (tool/tune/profile/count_text.h). The shares are of all conditional branches, among
// which each loop has its own, and of all reads and writes. A chain of misses that stop at the next cache is one that
// blocking can shorten; what goes on to memory is a stream.
void add_counts(Traits& traits, const std::string& profile) {
  constexpr double costly = 3, rare = 1;  // percent: a misprediction costs as much as some twenty instructions
  if (const auto mispredicted = percent_of(profile, "% mispredicted")) {
    if (*mispredicted >= costly) raise(traits, "branch", 0.9);
    if (*mispredicted < rare) lower(traits, "branch", 0.4);
  }
  const double first = percent_of(profile, "% miss the first-level cache").value_or(0);
  const double last = percent_of(profile, "% the last").value_or(0);
  if (first >= costly && last < first / 2) raise(traits, "cache", 0.9);
  if (last >= costly) raise(traits, "memory", 0.7);
}

// Words of a device's counters (tool/tune/profile/device_profile_text.h).
void add_counters(Traits& traits, const std::string& profile) {
  for (const char* limit : {"memory", "compute", "latency", "occupancy", "launch"})
    if (mentions(profile, std::string(limit) + "-bound")) raise(traits, limit, 1);
  if (mentions(profile, "scattered accesses"))
    for (const char* tag : {"memory", "strided"}) raise(traits, tag, 0.9);
  if (mentions(profile, "bank conflicts")) raise(traits, "banks", 1.5);
  if (mentions(profile, "threads diverge"))
    for (const char* tag : {"branch", "uneven"}) raise(traits, tag, 0.9);
}

void add_profile(Traits& traits, const std::string& profile) {
  if (mentions(profile, "not vectorized")) raise(traits, "vectorisation", 0.8);
  if (mentions(profile, "alias") || mentions(profile, "versioned")) raise(traits, "aliasing", 2);
  add_counts(traits, profile);
  add_counters(traits, profile);
}

void add_data(Traits& traits, const TaskFacts& facts) {
  for (const char* type : {"uint8_t", "int8_t", "unsigned char", "std::byte", "uint16_t"})
    if (mentions(facts.signature, type)) raise(traits, "bytes", 0.9);
  if (mentions(facts.closure, "struct ")) raise(traits, "layout", 0.6);
}

}  // namespace

Traits classify(const TaskFacts& facts, std::string_view profile) {
  Traits traits;
  const Shape shape = kernel_shape(facts);
  add_sums(traits, shape);
  add_accesses_seen(traits, shape);
  add_cost(traits, shape);
  add_data(traits, facts);
  add_target(traits, facts);
  add_roofline(traits, facts);
  add_profile(traits, lower_case(profile));
  return traits;
}

std::string describe_traits(const Traits& traits) {
  std::vector<std::pair<std::string, double>> sorted(traits.begin(), traits.end());
  std::ranges::stable_sort(sorted, [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [tag, weight] : sorted) text += (text.empty() ? "" : " ") + tag;
  return text;
}

KernelState state_of(const TaskFacts& facts, std::string_view profile) {
  const Traits traits = classify(facts, profile);
  const auto weight = [&](const char* tag) {
    const auto found = traits.find(tag);
    return found == traits.end() ? 0.0 : found->second;
  };
  KernelState state;
  double heaviest = 0;
  for (const char* bottleneck :
       {"memory", "compute", "occupancy", "launch", "vectorisation", "cache", "latency", "branch"}) {
    if (weight(bottleneck) <= heaviest) continue;
    heaviest = weight(bottleneck);
    state.bottleneck = bottleneck;
  }
  // 0 none … 3 good: what a trait says against it is taken off.
  const auto grade = [&](double against) { return static_cast<unsigned>(3 - std::min(3.0, against * 3.0)); };
  state.axes = {{"vectorisation", grade(weight("vectorisation"))},
                {"locality", grade(std::max({weight("cache"), weight("gather"), weight("strided")}))},
                {"parallelism", grade(std::max({weight("latency"), weight("occupancy"), weight("launch")}))},
                {"predictability", grade(weight("branch"))},
                {"cheapness", grade(std::max(weight("transcendental"), weight("division")))}};
  return state;
}

}  // namespace hone::search
