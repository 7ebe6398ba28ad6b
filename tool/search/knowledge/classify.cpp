// What kind of kernel this is, guessed from its tokens: enough to order notes by.
#include <algorithm>
#include <map>

#include "tool/search/knowledge/knowledge.h"
#include "tool/search/text/code_text.h"
#include "tool/search/text/fenced_text.h"

namespace hone::search {
namespace {

constexpr unsigned kDeepest = 16;

// What the tokens show, loop by loop.
class Shape {
 public:
  explicit Shape(std::string_view source) : code_(source) { statements(0, code_.tokens().size(), 0); }

  unsigned depth = 0;           // of the deepest loop
  bool sum = false;             // scalar += …
  bool sum_into_array = false;  // a[…] += …
  bool product_in_sum = false;  // += … * …
  bool histogram = false;       // a[b[i]]++, a[b[i]] += …
  bool gather = false;          // a[b[i]]
  bool scan = false;            // the running sum is stored by the loop that sums
  bool copy = false;            // a[…] = b[…];
  bool compares = false;        // swaps, sorts
  bool branch = false, division = false, function = false, root = false;
  unsigned neighbors = 0;  // subscripts with a constant added or subtracted

 private:
  bool word(std::size_t i, std::initializer_list<std::string_view> words) const {
    return i < code_.tokens().size() && std::find(words.begin(), words.end(), code_.spelling(i)) != words.end();
  }

  // for (…) body, while (…) body, { … }, and everything else token by token.
  void statements(std::size_t begin, std::size_t end, unsigned loops) {
    for (std::size_t i = begin; i < end;) {
      const bool loop = word(i, {"for", "while"}) && code_.is(i + 1, "(");
      if (!loop || loops >= kDeepest) {
        look(i, end, loops);
        ++i;
        continue;
      }
      const std::size_t head = code_.closing(i + 1);
      if (head == CodeText::npos || head >= end) return;
      const std::size_t body_end = end_of_statement(head + 1, end);
      depth = std::max(depth, loops + 1);
      statements(head + 1, body_end, loops + 1);
      i = body_end;
    }
  }

  // One past the last token of a statement; a loop's body belongs to it.
  std::size_t end_of_statement(std::size_t begin, std::size_t end) const {
    for (std::size_t i = begin; i < end; ++i) {
      if (code_.is(i, ";")) return i + 1;
      if (!code_.is(i, "{") && !code_.is(i, "(") && !code_.is(i, "[")) continue;
      const std::size_t close = code_.closing(i);
      if (close == CodeText::npos || close >= end) return end;
      if (code_.is(i, "{")) return close + 1;
      i = close;
    }
    return end;
  }

  void look(std::size_t i, std::size_t end, unsigned loops) {
    if (word(i, {"exp", "expf", "exp2", "log", "logf", "log2", "tanh", "tanhf", "pow", "powf", "sin", "sinf", "cos",
                 "cosf", "erf"}) &&
        code_.is(i + 1, "("))
      function = true;
    if (word(i, {"sqrt", "sqrtf", "rsqrt", "hypot"}) && code_.is(i + 1, "(")) root = true;
    if (word(i, {"swap", "sort", "stable_sort", "nth_element", "iter_swap"}) && code_.is(i + 1, "(")) compares = true;
    if (loops == 0) return;
    if (word(i, {"if", "?", "switch"})) branch = true;
    if (word(i, {"/", "%"})) division = true;
    if (code_.is(i, "[")) subscript(i, end, loops);
    if (code_.is(i, "+") && code_.is(i + 1, "=")) sums(i, end, loops);
  }

  void subscript(std::size_t open, std::size_t end, unsigned loops) {
    const std::size_t close = code_.closing(open);
    if (close == CodeText::npos || close >= end) return;
    for (std::size_t i = open + 1; i < close; ++i) {
      if (code_.is(i, "[")) {
        gather = true;
        const bool counted = (code_.is(close + 1, "+") && (code_.is(close + 2, "+") || code_.is(close + 2, "=")));
        const bool before = open >= 3 && code_.is(open - 2, "+") && code_.is(open - 3, "+");
        histogram = histogram || counted || before;
      }
      const bool sign = code_.is(i, "+") || code_.is(i, "-");
      if (sign && i + 1 < close && code_.tokens()[i + 1].kind == CodeTokenKind::number) ++neighbors;
    }
    if (code_.is(close + 1, "=") && !code_.is(close + 2, "=")) stores(close + 2, end, loops);
  }

  void stores(std::size_t i, std::size_t end, unsigned loops) {
    if (i + 1 >= end || code_.tokens()[i].kind != CodeTokenKind::identifier) return;
    // A loop further in has the sum of a row: that is a reduction.
    const auto sum_here = summed_.find(code_.spelling(i));
    if (code_.is(i + 1, ";") && sum_here != summed_.end() && sum_here->second <= loops) scan = true;
    if (!code_.is(i + 1, "[")) return;
    const std::size_t close = code_.closing(i + 1);
    if (close != CodeText::npos && code_.is(close + 1, ";")) copy = true;
  }

  void sums(std::size_t plus, std::size_t end, unsigned loops) {
    const bool array = plus > 0 && code_.is(plus - 1, "]");
    sum = sum || !array;
    sum_into_array = sum_into_array || array;
    if (!array && plus > 0) summed_[code_.spelling(plus - 1)] = loops;
    for (std::size_t i = plus + 2; i < end && !code_.is(i, ";"); ++i)
      product_in_sum = product_in_sum || (code_.is(i, "*") && !inside_subscript(plus + 2, i));
  }

  bool inside_subscript(std::size_t begin, std::size_t at) const {
    int open = 0;
    for (std::size_t i = begin; i < at; ++i) open += code_.is(i, "[") ? 1 : code_.is(i, "]") ? -1 : 0;
    return open > 0;
  }

  CodeText code_;
  std::map<std::string_view, unsigned> summed_;  // and how deep in loops
};

void raise(Traits& traits, std::string_view tag, double weight) {
  double& now = traits[std::string(tag)];
  now = std::max(now, weight);
}

bool mentions(std::string_view text, std::string_view word) {
  return text.find(word) != std::string_view::npos;
}

void add_shape(Traits& traits, const Shape& shape) {
  const bool sums = shape.sum || shape.sum_into_array;
  if (shape.depth >= 3 && sums && shape.product_in_sum && shape.neighbors < 4) {
    for (const char* tag : {"gemm", "tiling"}) raise(traits, tag, 0.9);
    for (const char* tag : {"interchange", "packing", "unroll", "compute", "cache"}) raise(traits, tag, 0.6);
  } else if (shape.sum && !shape.scan) {
    raise(traits, "reduction", 0.9);
    raise(traits, "latency", 0.6);
    raise(traits, "unroll", 0.4);
  }
  if (shape.depth == 2 && sums && (shape.root || shape.division) && shape.neighbors == 0)
    raise(traits, "pairwise", 0.8);
  if (shape.neighbors >= 2 && shape.depth >= 2) {
    raise(traits, "stencil", 0.8);
    raise(traits, "border", shape.branch ? 0.8 : 0.3);
  }
  if (shape.gather) raise(traits, "gather", 0.8);
  if (shape.histogram) raise(traits, "histogram", 0.9);
  if (shape.scan) raise(traits, "scan", 0.9);
  if (shape.compares) raise(traits, "sort", 0.8);
  if (shape.copy && shape.depth >= 2 && !sums) raise(traits, "transpose", 0.8);
  if (shape.depth == 1 && !sums && !shape.gather) raise(traits, "elementwise", 0.7);
}

void add_cost(Traits& traits, const Shape& shape) {
  if (shape.function || shape.root) {
    raise(traits, "transcendental", 0.9);
    raise(traits, "compute", 0.5);
  }
  if (shape.division || shape.root) raise(traits, "division", 0.6);
  if (shape.branch) {
    raise(traits, "branch", 0.6);
    raise(traits, "vectorisation", 0.4);
  }
  if (shape.depth >= 2) raise(traits, "hoisting", 0.3);
  if (shape.depth >= 1) raise(traits, "vectorisation", 0.4);
}

void add_target(Traits& traits, const TaskFacts& facts) {
  const bool cuda = !facts.hardware.gpu.empty() || facts.language.starts_with("cuda");
  if (cuda) return raise(traits, "cuda", 1);
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
    const double move = hardware.bandwidth > 0 ? problem.bytes / hardware.bandwidth : problem.bytes / 10;
    const double compute =
        hardware.peak_operations > 0 ? problem.operations / hardware.peak_operations : problem.operations / 40;
    raise(traits, move > compute ? "memory" : "compute", 0.7);
    if (private_cache > 0 && problem.bytes > static_cast<double>(private_cache)) raise(traits, "cache", 0.5);
  }
}

void add_profile(Traits& traits, const std::string& profile) {
  if (mentions(profile, "not vectorized") || mentions(profile, "not vectorised") || mentions(profile, "missed"))
    raise(traits, "vectorisation", 1);
  if (mentions(profile, "alias") || mentions(profile, "versioned")) raise(traits, "aliasing", 0.8);
  if (mentions(profile, "mispredict")) raise(traits, "branch", 0.9);
  if (mentions(profile, "cache miss") || mentions(profile, "l1 miss") || mentions(profile, "d1 miss") ||
      mentions(profile, "ll miss"))
    raise(traits, "cache", 0.9);
  for (const char* limit : {"memory", "compute", "latency", "occupancy", "launch"})
    if (mentions(profile, std::string(limit) + "-bound") || mentions(profile, std::string(limit) + " bound"))
      raise(traits, limit, 1);
  // Words of a device's counters (tool/tune/profile/device_profile_text.h).
  if (mentions(profile, "scattered accesses")) {
    raise(traits, "memory", 0.9);
    raise(traits, "cache", 0.9);
  }
  if (mentions(profile, "bank conflicts")) {
    raise(traits, "banks", 1);
    raise(traits, "cache", 0.9);
  }
  if (mentions(profile, "threads diverge")) raise(traits, "branch", 0.9);
  if (mentions(profile, "latency")) raise(traits, "latency", 0.8);
}

void add_data(Traits& traits, const TaskFacts& facts) {
  for (const char* type : {"uint8_t", "int8_t", "unsigned char", "std::byte", "uint16_t"})
    if (mentions(facts.signature, type)) raise(traits, "bytes", 0.9);
  if (mentions(facts.closure, "struct ")) raise(traits, "layout", 0.6);
}

}  // namespace

Traits classify(const TaskFacts& facts, std::string_view profile) {
  Traits traits;
  const Shape shape(facts.definition);
  add_shape(traits, shape);
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
                {"locality", grade(std::max(weight("cache"), weight("gather")))},
                {"parallelism", grade(std::max({weight("latency"), weight("occupancy"), weight("launch")}))},
                {"predictability", grade(weight("branch"))},
                {"cheapness", grade(std::max(weight("transcendental"), weight("division")))}};
  return state;
}

}  // namespace hone::search
