// What worked where, across kernels: in a state (what limits the code), a technique was predicted to gain so much and
// gained so much (after KernelBlaster).
//
// A value that a search starts from and adds to; reading and writing files is the caller's. Deterministic by the Random
// that is passed in. It holds no source. Not thread-safe.
//
//   { "memory": 1,
//     "entries": [ { "bottleneck": "memory", "axes": { "locality": 1, "vectorisation": 0 },
//                    "technique": "tile the two inner loops for L1",
//                    "predicted": 1.5, "actual": 1.38, "confidence": 0.6, "uses": 4, "failures": 1, "note": "" } ] }
#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/search/memory/portable_random.h"

namespace hone::search {

// What limits a kernel: a class, and graded axes (0 none … 3 good), whichever the profile can tell.
struct KernelState {
  std::string bottleneck;  // "memory", "compute", "latency", "launch", … "" where unknown
  std::map<std::string, unsigned> axes;
  bool operator==(const KernelState&) const = default;
};
std::string in_words(const KernelState& state);  // "memory; locality 1, vectorisation 0"
// 0 (nothing in common) … 1 (equal): half the class, half the axes that both have.
double similarity(const KernelState& one, const KernelState& other);

struct Experience {
  KernelState state;
  std::string technique;
  double predicted = 1;   // ratio old/new time
  double actual = 1;      // geometric mean of the measured ratios; 1 until there is one
  double confidence = 0;  // 0 … 1: how well prediction and measurement agreed
  unsigned uses = 0;      // measured
  unsigned failures = 0;  // the step was not right
  std::string note;       // the last post-mortem
  bool operator==(const Experience&) const = default;
};

// gain + 0.2 where actual/predicted lies in 0.8…1.2, - 0.5 where the step was slower; gain is the logarithm of the
// ratio.
double reward(double predicted, double actual);
// Less than half of the predicted gain came: worth a post-mortem.
bool disappoints(double predicted, double actual);

class Memory {
 public:
  const std::vector<Experience>& entries() const { return entries_; }

  // How much an entry has to say about a state: similarity × (what it is expected to gain, trusted by confidence).
  double relevance(const Experience& entry, const KernelState& state) const;
  std::vector<Experience> relevant(const KernelState& state, std::size_t most) const;  // most relevant first
  // One entry with probability ∝ relevance³; none of the techniques `but`, unless there are no others. nullopt: none is
  // relevant at all.
  std::optional<Experience> sample(const KernelState& state, Random& random,
                                   const std::vector<std::string>& but = {}) const;

  // A model's or a user's expectation; nothing happens where state and technique are known.
  void expect(const KernelState& state, const std::string& technique, double predicted);
  // `actual` is absent where the step was not right. Moves the prediction towards what was measured.
  void record(const KernelState& state, const std::string& technique, double predicted, std::optional<double> actual);
  void note(const KernelState& state, const std::string& technique, std::string text);  // after a post-mortem

  std::string serialize() const;  // stable order, diffs well
  static Result<Memory> parse(std::string_view text);

 private:
  Experience& entry(const KernelState& state, const std::string& technique);

  std::vector<Experience> entries_;  // by state and technique
};

}  // namespace hone::search
