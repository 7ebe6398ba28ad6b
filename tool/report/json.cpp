#include "tool/report/json.h"

#include "tool/model/speedup_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace hone::report {
namespace {

using json = nlohmann::ordered_json;

json number(double value) {
  return std::isfinite(value) ? json(value) : json(nullptr);
}

json speedup_of(const Measurement& measurement) {
  return measurement.problems.empty() ? json(nullptr) : speedup_json<json>(measurement.speedup);
}

json code_of(DiagnosticCode code) {
  return code == DiagnosticCode::none ? json(nullptr) : json(code_name(code));
}

json problems_of(const Verdict& verdict) {
  json problems = json::array();
  for (const ProblemMeasurement& problem : verdict.measurement.problems)
    problems.push_back({{"label", problem.label},
                        {"weight", number(problem.weight)},
                        {"right", verdict.right},
                        {"faster", problem.speedup.low > 1},
                        {"stage", to_string(verdict.stage)},
                        {"reason", verdict.reason},
                        {"code", code_of(verdict.code)},
                        {"speedup", speedup_json<json>(problem.speedup)},
                        {"reference_seconds", number(problem.reference_seconds)},
                        {"candidate_seconds", number(problem.candidate_seconds)}});
  return problems;
}

// A candidate that is not right has no error that could be weighed.
json tolerance_json(const Verdict& verdict) {
  return verdict.right ? number(verdict.tolerance_used) : json(nullptr);
}

json tried_of(const Verdict& verdict) {
  json tried = json::object();
  for (const TriedLine& line : lines_of(verdict.tried)) tried[line.label] = line.text;
  return tried;
}

json changes_of(const ListedKernel& kernel) {
  json changes = json::array();
  for (const ListedChange& change : kernel.changes)
    changes.push_back({{"what", change.what},
                       {"text", change.text},
                       {"file", change.file.empty() ? json(nullptr) : json(change.file)},
                       {"line", change.line ? json(change.line) : json(nullptr)}});
  return changes;
}

// Compilers quote source in whatever encoding it has: bytes that are not UTF-8 are replaced.
std::string dump(const json& document) {
  return document.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace

std::string eval_json(const std::string& kernel, const Verdict& verdict) {
  return dump({{"kernel", kernel},
               {"right", verdict.right},
               {"faster", verdict.faster},
               {"stage", to_string(verdict.stage)},
               {"reason", verdict.reason},
               {"code", code_of(verdict.code)},
               {"detail", verdict.detail},
               {"speedup", speedup_of(verdict.measurement)},
               {"tolerance_used", tolerance_json(verdict)},
               {"problems", problems_of(verdict)},
               {"tried", tried_of(verdict)},
               {"clock", verdict.measurement.clock},
               {"noisy", verdict.measurement.noisy},
               {"sandbox", verdict.sandbox},
               {"seconds", number(verdict.seconds)}});
}

json now_of(const LinkedNow& now) {
  return {{"linked", now.linked.empty() ? json(nullptr) : json(now.linked)},
          {"variants", now.variants},
          {"reason", now.reason},
          {"why", now.why},
          {"object", now.object},
          {"target", now.target}};
}

json all_of(const std::vector<LinkedNow>& objects) {
  json list = json::array();
  for (const LinkedNow& object : objects) list.push_back(now_of(object));
  return list;
}

std::string list_json(const std::vector<ListedKernel>& kernels) {
  json list = json::array();
  for (const ListedKernel& kernel : kernels) {
    json entry{
        {"name", kernel.name},
        {"file", kernel.file},
        {"line", kernel.line},
        {"key", kernel.key},
        {"state", kernel.state},
        {"linked", kernel.linked},
        {"speedup", kernel.speedup ? speedup_json<json>(*kernel.speedup) : json(nullptr)},
        {"target", kernel.target},
        {"measured_on", kernel.measured_on},
        {"trouble", kernel.trouble.empty() && !kernel.held_back.empty() ? "it " + kernel.held_back : kernel.trouble},
        {"held_back", !kernel.held_back.empty()},
        {"unconfirmed", kernel.unconfirmed},
        {"unfinished", kernel.unfinished},
        {"compiled_with", kernel.compiled_with},
        {"language", kernel.language},
        {"elsewhere", kernel.elsewhere},
        {"fit", kernel.fit},
        {"changes", changes_of(kernel)},
        {"other_evidence", kernel.other_evidence},
        {"variants", kernel.variants},
        {"now", now_of(kernel.now)},
        {"also", all_of(kernel.also)},
        {"next", kernel.next}};
    if (!kernel.explanation.empty()) entry["explain"] = kernel.explanation;
    list.push_back(std::move(entry));
  }
  return dump({{"kernels", std::move(list)}});
}

std::string verify_json(const std::vector<VerifiedKernel>& kernels) {
  json list = json::array();
  for (const VerifiedKernel& kernel : kernels)
    list.push_back({{"name", kernel.name},
                    {"right", kernel.verdict.right},
                    {"faster", kernel.verdict.faster},
                    {"speedup", speedup_of(kernel.verdict.measurement)},
                    {"stage", to_string(kernel.verdict.stage)},
                    {"reason", kernel.verdict.reason},
                    {"code", code_of(kernel.verdict.code)},
                    {"tolerance_used", tolerance_json(kernel.verdict)},
                    {"problems", problems_of(kernel.verdict)},
                    {"tried", tried_of(kernel.verdict)},
                    {"file", kernel.file},
                    {"line", kernel.line},
                    {"key", kernel.key},
                    {"variant", kernel.variant.empty() ? json(nullptr) : json(kernel.variant)},
                    {"machine", kernel.verdict.machine.empty() ? json(nullptr) : json(kernel.verdict.machine)},
                    {"renewed", kernel.renewed}});
  return dump({{"kernels", std::move(list)}});
}

namespace {

json failures_of(const KernelResult& kernel) {
  json list = json::array();
  for (const Failure& failure : kernel.failures)
    list.push_back({{"what", failure.what},
                    {"example", failure.example},
                    {"count", failure.count},
                    {"code", code_of(failure.code)}});
  return list;
}

}  // namespace

std::string tune_json(const std::vector<KernelResult>& kernels) {
  json list = json::array();
  for (const KernelResult& kernel : kernels)
    list.push_back(
        {{"name", kernel.name},
         {"accepted", kernel.accepted},
         {"speedup", kernel.accepted ? speedup_json<json>(kernel.speedup) : json(nullptr)},
         {"trials",
          {{"total", kernel.trials.total},
           {"compiled", kernel.trials.compiled},
           {"right", kernel.trials.right},
           {"faster", kernel.trials.faster},
           {"duplicates", kernel.trials.duplicates},
           {"without_code", kernel.trials.without_code},
           {"cut", kernel.trials.cut}}},
         {"spent",
          {{"seconds", number(kernel.seconds)}, {"tokens", kernel.spent.tokens}, {"cost", number(kernel.spent.cost)}}},
         {"failures", failures_of(kernel)},
         {"outcome", to_string(kernel.outcome)},
         {"message", kernel.message},
         {"variant", kernel.variant.empty() ? json(nullptr) : json(kernel.variant)},
         {"file", kernel.file},
         {"line", kernel.line},
         {"key", kernel.key}});
  return dump({{"kernels", std::move(list)}});
}

}  // namespace hone::report
