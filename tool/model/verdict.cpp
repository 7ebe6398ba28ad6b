#include "tool/model/verdict.h"

#include <utility>

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

Verdict refusal(Stage stage, std::string sentence, DiagnosticCode other) {
  Verdict verdict;
  verdict.stage = stage;
  const DiagnosticCode own = take_code(sentence);
  verdict.code = own == DiagnosticCode::none ? other : own;
  verdict.reason = std::move(sentence);
  return verdict;
}

Verdict without_samples(Verdict verdict) {
  for (ProblemMeasurement& problem : verdict.measurement.problems) {
    problem.reference_samples = {};
    problem.candidate_samples = {};
  }
  return verdict;
}

}  // namespace hone
