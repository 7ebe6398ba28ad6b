// What a kernel runs on, as the judge sees it: the processors of this machine, or a CUDA device.
//
// The judge asks this port for memory, turns, limits and rates, and never which ground it has. So both grounds have the
// same words for the same things, and a test can make a ground of its own. Docs: docs/decisions/0019. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "tool/base/result.h"
#include "tool/judge/device/device.h"
#include "tool/judge/ground/lent_memory.h"
#include "tool/judge/machine/turn_lock.h"
#include "tool/model/device_rates.h"

namespace hone::judge {

// What shows an access beside an array: pages that fault, or a margin of canaries where no page faults.
enum class Guard { pages, canaries };

// How long samples are, in seconds.
struct SampleLimits {
  double shortest = 200e-6;  // under it the round trip to the process shows
  double longest = 4e-3;     // a batch of the slower side, when the faster wants batching
  double rough = 4e-3;       // a batch of the slower side in a trial, where the other is much faster
};

// What is so on a ground, whatever the kernel.
struct GroundTraits {
  Guard guard = Guard::pages;
  const char* guard_words = "guard pages at both ends of each array";  // in a verdict's list of checks
  unsigned runtime_threads = 0;                                        // that a process has beside the kernel's own
  bool spinning_teams = true;          // a team's idle threads spin beside its calls: it is timed asleep too
  bool processes_differ = false;       // the same code takes other times in another process: the two are compared first
  bool waits_for_work = false;         // a process wakes the ground right before each sample
  bool pools_before_turn = false;      // they take long to make: beside others' work, and not in a turn
  bool slots_follow_calls = true;      // pools grow with the calls of a sample; else they are large from the start
  bool repeats_bitwise = true;         // without threads, equal calls give equal bits
  bool rounds_either_way = true;       // a call can be asked to round up, and to round down
  double crowding = 1;                 // a call may take so many times as long beside others' work
  bool has_streams = false;            // calls are queued: each must keep its caller's order
  bool has_integer_sanitizers = true;  // they tell which integers the original bears; else its results alone do
  bool counts_every_byte = true;       // what a process holds is its calls' own; a runtime keeps none of it
  bool numbers_blocks = false;         // work comes in blocks with numbers, for which a candidate may take narrow types
  unsigned most_dropped = 4;           // cases of one kind that may cost a new process each …
  unsigned most_dropped_trial = 4;     // … in a trial
  SampleLimits samples;
};

// What a problem asks of the pool that it is timed on.
struct SlotNeed {
  std::size_t slot_bytes = 1;
  std::size_t calls = 1;     // of one sample
  std::size_t problems = 1;  // that share the ground's memory
  bool restores = false;     // slots are restored between calls
};

// While it lasts, nobody else times on the ground.
struct TimingTurn {
  TurnLock quiet;  // nor does anybody start processes there
  TurnLock lock;
};

class Ground {
 public:
  virtual ~Ground() = default;

  virtual const GroundTraits& traits() const = 0;
  virtual std::string architecture() const = 0;                      // "sm_90"; "": the machine's own processors
  virtual std::string machine() const = 0;                           // its kind (base/machine_kind.h)
  virtual std::optional<RunnerDevice> shown_to_runners() const = 0;  // nullopt: they need nothing
  // Error: the ground failed during the judgment, so that no verdict can be built on it.
  virtual Result<void> health() const = 0;

  // Null where runners map the machine's own memory.
  virtual Result<std::unique_ptr<LentMemory>> lend(std::size_t bytes) = 0;
  virtual std::size_t memory_limit(std::size_t wanted) = 0;  // for arrays; `wanted`: 0, as much as there is
  virtual std::size_t slots(const SlotNeed& need) = 0;       // of a pool
  virtual void flush_cache() = 0;                            // of what the judge's own copies left there

  // Timings elsewhere wait for untimed work here, and it for them.
  virtual void begin_untimed_work() = 0;
  virtual void let_timings_pass() = 0;
  virtual void end_untimed_work() = 0;
  // Around the start of a process that will run there: in between is no untimed work.
  virtual void begin_start() = 0;
  virtual void end_start() = 0;
  // Blocks. `quiet`: nobody shall start processes either.
  virtual TimingTurn take_turn(bool quiet) = 0;

  virtual double seconds_until_free() = 0;  // of what others, or earlier calls, left to it
  // Bytes that its memory copies, read and written in sum; 0: not measured, so that nothing is said of it.
  virtual double copied_per_second() = 0;
  // Bytes that so many threads could store at the very best.
  virtual double stored_per_second(unsigned threads) = 0;
  virtual std::optional<DeviceRates> rates() = 0;  // nobody else should use the ground meanwhile
};

}  // namespace hone::judge
