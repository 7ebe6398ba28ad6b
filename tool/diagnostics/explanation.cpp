#include "tool/diagnostics/explanation.h"

namespace hone {

const std::vector<ExplanationGroup>& explanation_groups() {
  static const std::vector<ExplanationGroup> groups = {
      {"The pragma's text", annotation_explanations()},
      {"What an annotation stands above", function_explanations()},
      {"What the function takes", argument_explanations()},
      {"The data it is called on", data_explanations()},
      {"How it is called, and what it does", call_explanations()},
      {"What a compile links", link_explanations()},
      {"Files and commands", file_explanations()},
      {"Init, suggest, capture, report and budgets", command_explanations()},
      {"What a candidate may be", candidate_explanations()},
      {"What becomes of a candidate when it is judged", verdict_explanations()},
      {"Executors", executor_explanations()},
      {"Stores and keys", store_explanations()},
      {"Language models", model_explanations()},
  };
  return groups;
}

const Explanation* explanation(DiagnosticCode code) {
  for (const ExplanationGroup& group : explanation_groups())
    for (const Explanation& one : group.rows)
      if (one.code == code) return &one;
  return nullptr;
}

}  // namespace hone
