#include "tool/model/verdict.h"

namespace hone {

const char* to_string(Stage stage) {
  switch (stage) {
    case Stage::gate:
      return "gate";
    case Stage::compile:
      return "compile";
    case Stage::verify:
      return "verify";
    case Stage::time:
      return "time";
    case Stage::done:
      return "done";
  }
  return "";
}

Verdict without_samples(Verdict verdict) {
  for (ProblemMeasurement& problem : verdict.measurement.problems) {
    problem.reference_samples = {};
    problem.candidate_samples = {};
  }
  return verdict;
}

}  // namespace hone
