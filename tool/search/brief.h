// What one request to a language model shows, as plain values, before any wording.
//
// TaskFacts is what is known of the kernel, the judge and the machine, the same for every request of a search; Brief
// adds what this request shows of the search. compose() (compose.h) fills a Brief from a request and the trials so far,
// render() (render.h) words it by the operator's template. Whoever owns the I/O (tool/tune) fills TaskFacts. No member
// holds a path, a key or a date. An empty text, an empty list or a figure of zero means "not known, not shown".
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/device_limits.h"

namespace hone::search {

struct CacheLevel {
  unsigned level = 1;       // 1: data
  std::uint64_t bytes = 0;  // of one instance
  unsigned line = 64;       // bytes
  unsigned shared_by = 1;   // processors
};

struct PeakRate {
  std::string on;   // "float", "tensor cores (half precision, summed in float)"
  double rate = 0;  // operations a second, a multiply-add is two
};

struct Hardware {
  std::string cpu;           // "AMD EPYC 9454"; "" where unknown
  std::string gpu;           // "" for a kernel on the CPU
  unsigned cores = 1;        // that the kernel may use: min(threads(k), processors)
  unsigned vector_bits = 0;  // widest usable vector register: 128, 256, 512
  unsigned vector_registers = 0;
  std::vector<CacheLevel> caches;
  double bandwidth = 0;         // bytes a second, measured
  double peak_operations = 0;   // floating-point or integer operations a second, measured or computed
  std::vector<PeakRate> peaks;  // of a GPU, that of the kernel's own type among them
  DeviceLimits device;          // of a GPU
};

// One problem() of the annotation, and its roofline: bytes and operations counted from annotation and source.
struct TaskProblem {
  std::string label;         // "w=1920 h=1080"
  double weight = 1;         // as in the annotation
  double seconds = 0;        // of the original, median per call
  double bytes = 0;          // that must move at least
  double bandwidth = 0;      // bytes a second at which so many come at best: from a cache that they fit into, or memory
  double operations = 0;     // that the original does
  double floor_seconds = 0;  // no right kernel is faster
};

struct TaskFacts {
  std::string kernel;      // its name for people
  std::string function;    // unqualified name as it is defined: "blur3x3"
  std::string signature;   // "void app::blur3x3(const float *, float *, int, int)"
  std::string definition;  // the original's text
  std::string closure;     // what it reaches of the user's: types, constants, helpers; in scope for a candidate
  std::string scope;       // "namespace app" around the definition, "" at file scope
  std::string annotation;  // the clauses in words, a line each: parameters, roles, extents, how data are drawn
  std::string launch;      // of a __global__ kernel: "grid((n + 255) / 256), block(256)"
  std::string launcher;  // "static void hone_launch_f(…)", by which a candidate may launch instead; "" where it may not
  std::string no_launcher;  // why it may not
  std::string tolerance;    // in words: "|got - expected| <= 1e-05 * …"
  std::string language;     // "c++17"; "cuda"
  std::string compiler;     // "g++ 12.2.0"
  std::string flags;        // "-O3 -march=native"
  std::string target;       // resolved features, "x86_64 avx2 fma"
  Hardware hardware;
  std::vector<TaskProblem> problems;
  unsigned threads = 1;  // of the annotation's threads(k)
  std::string profile;   // of the original
};

// One trial as a prompt shows it. Which members are filled is the strategy's choice; the rest stays empty.
struct Solution {
  static constexpr unsigned untold = ~0u;

  unsigned trial = 0;  // 0: the original; untold: no verdict has made it a trial yet
  std::string name;
  std::string source;
  std::string thought;
  std::string standing;  // measured: "2.31x as fast as the original (2.28 to 2.34)", or "not right: …"
  std::string problems;  // the standing per problem, a line each
  std::string verdict;   // one sentence, of a trial that failed
  std::string errors;    // compiler, sanitizer or first wrong element, cut to what matters
  std::string profile;
  std::string score;   // "7/10"
  double speedup = 0;  // median; 0 when it was not timed
  bool right = false;
  bool operator==(const Solution&) const = default;
};

// What was learned without its code: EvoEngineer's I3.
struct Insight {
  std::string name;
  std::string standing;
  std::string thought;
  bool operator==(const Insight&) const = default;
};

// Two programs for one task, and what made the second faster.
struct Example {
  std::string title;
  std::string slow;
  std::string fast;
  std::string gain;  // "3.1x"
  std::string why;
  bool operator==(const Example&) const = default;
};

// A program that won on another kernel.
struct Winner {
  std::string title;
  std::string code;
  std::string gain;
  std::string why;
  bool operator==(const Winner&) const = default;
};

struct KnowledgeItem {
  std::string title;
  std::string text;
  bool operator==(const KnowledgeItem&) const = default;
};

// What an earlier search found out about a technique in a state like this one.
struct MemoryItem {
  std::string technique;
  double predicted_gain = 0;  // 1.5: half as fast again; 0: nobody predicted
  double measured_gain = 0;
  unsigned uses = 0;
  double confidence = 0;  // 0 … 1
  std::string lesson;
  bool operator==(const MemoryItem&) const = default;
};

struct Brief {
  std::string operator_name;       // names the template: init, mutation, judge, … (model_operators.h), opinion
  TaskFacts facts;                 // without what the strategy leaves out
  std::vector<Solution> parents;   // what the operator works on; empty: the original
  std::optional<Solution> best;    // the fastest so far, where it is no parent
  std::vector<Solution> history;   // earlier solutions, in the order in which they are shown
  std::string history_order;       // "slowest first"
  std::vector<Solution> contrast;  // scored variants side by side
  std::vector<Solution> failures;  // what was tried and failed, latest last
  std::vector<Insight> insights;
  std::vector<Example> examples;
  std::vector<Winner> archive;
  std::vector<KnowledgeItem> knowledge;
  std::vector<MemoryItem> memory;
  std::string advice;              // of a judge, a planner, a memory, in words
  std::string focus;               // the direction that this start was given
  std::optional<unsigned> target;  // score out of ten to aim at
  double target_speedup = 0;       // the target as a ratio over the original, where it is known
  unsigned proposals = 1;          // how many an advice request is to list
  std::string unreadable;          // why the reply that is to be repaired held no code
  bool plans = false;              // say what will be done and the gain that is expected first
  bool tunables = false;           // a candidate may declare HONE_TUNABLE
};

// One message to a model.
struct PromptMessage {
  std::string role;  // "system" or "user"
  std::string text;
  bool operator==(const PromptMessage&) const = default;
};

}  // namespace hone::search
