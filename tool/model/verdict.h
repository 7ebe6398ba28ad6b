// What the judge says of one candidate, and the evidence.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tool/diagnostics/diagnostic_code.h"
#include "tool/model/tried.h"

namespace hone {

// Where the judging of a candidate ended. `done`: it went through everything.
enum class Stage { gate, compile, verify, time, done };
const char* to_string(Stage stage);

// Ratio original/candidate: 2 is twice as fast. `low` and `high` bound it at the confidence of the run.
struct Speedup {
  double median = 1;
  double low = 1;
  double high = 1;
};

struct ProblemMeasurement {
  std::string label;  // "w=1920 h=1080"
  double weight = 1;
  Speedup speedup;
  double reference_seconds = 0;  // median per call
  double candidate_seconds = 0;
  std::vector<double> reference_samples;  // seconds per call, in the order taken; pairs with candidate_samples
  std::vector<double> candidate_samples;
  double bytes = 0;         // that a call must move at least, if it needs all of its inputs; 0: not on a device
  double common_error = 0;  // standard error that the log ratios of all pairs share; no number of them averages it away
};

struct Measurement {
  Speedup speedup;  // weighted over the problems
  std::vector<ProblemMeasurement> problems;
  double seconds = 0;    // spent measuring
  bool noisy = false;    // the machine was too busy: cpu/wall under 0.9
  bool decided = false;  // the stopping rule fired before the time ran out
  std::string clock;     // "process-cpu" or "wall"
};

struct Verdict {
  Stage stage = Stage::gate;
  bool right = false;                          // passed gate, compile and verify (and the re-verification after timing)
  bool faster = false;                         // accepted by the statistical rule
  std::string reason;                          // one sentence; file:line where there is one
  DiagnosticCode code = DiagnosticCode::none;  // what `hone explain` says of it; none: it is faster, or nobody said
  std::string detail;                          // compiler or sanitizer output, first wrong element; cut to what matters
  Measurement measurement;
  double tolerance_used = 0;  // of a right one: the share of its tolerance that the worst element takes, 0…1
  std::string sandbox;        // level the code ran under
  std::string architecture;   // of the CUDA device that it ran on, "sm_90"; "": it ran on none
  std::string machine;        // the kind that it ran on (base/machine_kind.h); "": nowhere, or nobody said
  double seconds = 0;         // whole judgment, wall
  Tried tried;                // what it rests on
};

// A verdict that a sentence with its code behind it speaks: "…:3: a fixed address is not allowed [hone-candidate-use]".
// `other`: where it has none.
Verdict refusal(Stage stage, std::string sentence, DiagnosticCode other);

// Takes the raw samples out.
Verdict without_samples(Verdict verdict);

}  // namespace hone
