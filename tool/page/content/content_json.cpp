#include <cmath>

#include <nlohmann/json.hpp>

#include "tool/model/speedup_json.h"
#include "tool/page/content/project_content.h"
#include "tool/report/text.h"

namespace hone::page {
namespace {

using Object = nlohmann::ordered_json;

Object finite(double value) {
  return std::isfinite(value) ? Object(value) : Object(nullptr);
}

Object text_or_null(const std::string& text) {
  return text.empty() ? Object(nullptr) : Object(text);
}

Object code_of(const Verdict& verdict) {
  return text_or_null(std::string(code_name(verdict.code)));
}

template <class T>
Object value_or_null(const std::optional<T>& value) {
  return value ? Object(*value) : Object(nullptr);
}

// Five digits say more than a clock does, and take a third of the room.
double five_digits(double value) {
  if (!(std::isfinite(value) && value > 0)) return 0;
  const double unit = std::pow(10.0, 4 - std::floor(std::log10(value)));
  return unit >= 1 ? std::round(value * unit) / unit : std::round(value / (1 / unit)) * (1 / unit);
}

// Of a trial, of which there are many.
Object short_speedup(const Speedup& speedup) {
  return speedup_json<Object>(
      Speedup{five_digits(speedup.median), five_digits(speedup.low), five_digits(speedup.high)});
}

Object nanoseconds(const std::vector<double>& samples) {
  Object list = Object::array();
  for (const double seconds : samples) {
    const double rounded = five_digits(seconds * 1e9);
    list.push_back(rounded >= 10000 ? Object(static_cast<std::int64_t>(rounded)) : Object(rounded));
  }
  return list;
}

Object problems_in(const Measurement& measurement) {
  Object problems = Object::array();
  for (const ProblemMeasurement& problem : measurement.problems)
    problems.push_back({{"label", problem.label},
                        {"weight", finite(problem.weight)},
                        {"speedup", speedup_json<Object>(problem.speedup)},
                        {"reference_seconds", finite(problem.reference_seconds)},
                        {"candidate_seconds", finite(problem.candidate_seconds)},
                        {"reference_ns", nanoseconds(problem.reference_samples)},
                        {"candidate_ns", nanoseconds(problem.candidate_samples)}});
  return problems;
}

Object tried_of(const Tried& tried) {
  Object lines = Object::object();
  for (const TriedLine& line : lines_of(tried)) lines[line.label] = line.text;
  return lines;
}

Object verdict_of(const Verdict& verdict) {
  return {{"stage", to_string(verdict.stage)},
          {"right", verdict.right},
          {"faster", verdict.faster},
          {"reason", verdict.reason},
          {"code", code_of(verdict)},
          {"detail", verdict.detail},
          {"tolerance_used", verdict.right ? finite(verdict.tolerance_used) : Object(nullptr)},
          {"clock", verdict.measurement.clock},
          {"noisy", verdict.measurement.noisy},
          {"sandbox", verdict.sandbox},
          {"machine", text_or_null(verdict.machine)},
          {"seconds", finite(verdict.seconds)}};
}

bool was_timed(const Verdict& verdict) {
  return !verdict.measurement.problems.empty();
}

Object trial_of(const tune::JournaledTrial& trial, unsigned number) {
  const Verdict& verdict = trial.verdict;
  return {{"number", number},
          {"name", trial.name},
          {"operator", text_or_null(trial.origin.operator_name)},
          {"stage", to_string(verdict.stage)},
          {"right", verdict.right},
          {"faster", verdict.faster},
          {"reason", verdict.reason},
          {"code", code_of(verdict)},
          {"speedup", was_timed(verdict) ? short_speedup(verdict.measurement.speedup) : Object(nullptr)}};
}

Object search_of(const ToldSearch& search) {
  Object trials = Object::array();
  unsigned number = 0;
  for (const tune::JournaledTrial& trial : search.run.trials) trials.push_back(trial_of(trial, ++number));
  return {{"strategy", search.run.run.strategy},
          {"seed", search.run.run.seed},
          {"running", search.running},
          {"done", search.run.done},
          {"trials", std::move(trials)}};
}

// The journal has the code of what it tells of; the winner's is the variant.
Object lineage_of(const KernelContent& kernel) {
  Object lineage = Object::array();
  for (const lock::Ancestor& ancestor : kernel.record->lineage) {
    Object one{{"trial", ancestor.trial},
               {"operator", ancestor.operator_name},
               {"name", ancestor.name},
               {"parents", ancestor.parents},
               {"speedup", speedup_json<Object>(ancestor.speedup)},
               {"code", nullptr},
               {"verdict", nullptr}};
    if (kernel.search)
      for (const tune::JournaledTrial& trial : kernel.search->run.trials)
        if (trial.source == ancestor.source) {
          one["code"] = text_or_null(trial.origin.text);
          one["verdict"] = verdict_of(trial.verdict);
        }
    if (&ancestor == &kernel.record->lineage.back() && kernel.variant) one["code"] = *kernel.variant;
    lineage.push_back(std::move(one));
  }
  return lineage;
}

// The verdict that counts, with the least time of each problem where that is known.
Object counting_verdict_of(const KernelContent& kernel) {
  const Verdict* const verdict = kernel.record->counting_verdict();
  if (!verdict) return nullptr;
  Object one = verdict_of(*verdict);
  one["problems"] = problems_in(verdict->measurement);
  for (Object& problem : one["problems"]) {
    const auto least = kernel.least.find(problem["label"].get<std::string>());
    problem["floor_seconds"] = least == kernel.least.end() ? Object(nullptr) : finite(least->second);
  }
  return one;
}

Object record_of(const KernelContent& kernel) {
  const lock::Record& record = *kernel.record;
  return {{"name", record.name},
          {"thought", record.thought},
          {"proposer", record.proposer},
          {"strategy", record.strategy},
          {"model", text_or_null(record.model)},
          {"seed", record.seed},
          {"compiler", record.compiler},
          {"device", record.device},
          {"executor", record.executor},
          {"signed_by", text_or_null(record.signed_by)},
          {"seconds", finite(record.seconds)},
          {"trials",
           {{"total", record.trials.total},
            {"compiled", record.trials.compiled},
            {"right", record.trials.right},
            {"faster", record.trials.faster}}},
          {"lineage", lineage_of(kernel)},
          {"verdict", counting_verdict_of(kernel)}};
}

Object spending_of(const ModelSpending& spending) {
  return {{"calls", spending.calls},
          {"failed", spending.failed},
          {"input_tokens", spending.input_tokens},
          {"output_tokens", spending.output_tokens},
          {"cached_tokens", spending.cached_tokens},
          {"cost", finite(spending.cost)},
          {"seconds", finite(spending.seconds)},
          {"estimated", spending.estimated}};
}

// The verdict of a record says more than the lock file's lines; these are there without a record, too.
Object tried_of(const KernelContent& kernel) {
  const Verdict* const verdict = kernel.record ? kernel.record->counting_verdict() : nullptr;
  if (verdict && !verdict->tried.empty()) return tried_of(verdict->tried);
  Object lines = Object::object();
  if (kernel.entry)
    for (const auto& [label, text] : kernel.entry->tried) lines[label] = text;
  return lines;
}

Object held_on(const cache::LockEntry& entry) {
  Object list = Object::array();
  if (!entry.variant) return list;
  for (const auto& [machine, figure] : cache::figures_about(entry.held_on, *entry.variant))
    list.push_back({{"machine", machine},
                    {"standing", to_string(cache::standing_of(figure))},
                    {"tuned", figure.tuned},
                    {"speedup", figure.right ? speedup_json<Object>(Speedup{figure.median, figure.low, figure.high})
                                             : Object(nullptr)}});
  return list;
}

Object kernel_of(const KernelContent& kernel) {
  const report::ListedKernel& listed = kernel.listed;
  const bool figure = kernel.entry && kernel.entry->variant;
  Object one{{"name", listed.name},
             {"file", listed.file},
             {"line", listed.line ? Object(listed.line) : Object(nullptr)},
             {"state", kernel.state},
             {"linked", kernel.state == "tuned" && listed.linked},
             {"why", kernel.why},
             {"speedup", figure ? speedup_json<Object>(Speedup{kernel.entry->speedup, kernel.entry->speedup_low,
                                                               kernel.entry->speedup_high})
                                : Object(nullptr)},
             {"signature", kernel.signature},
             {"language", kernel.language},
             {"target", kernel.target},
             {"build_target", text_or_null(listed.target)},
             {"compiled_with", text_or_null(listed.compiled_with)},
             {"key", kernel.entry ? kernel.entry->key : listed.key}};
  one["variant_digest"] = kernel.entry ? value_or_null(kernel.entry->variant) : Object(nullptr);
  one["measured_on"] = kernel.entry ? text_or_null(kernel.entry->measured_on) : Object(nullptr);
  one["evidence"] = kernel.entry ? text_or_null(kernel.entry->evidence) : Object(nullptr);
  one["unconfirmed"] = kernel.entry && kernel.entry->unconfirmed;
  one["unfinished"] = kernel.entry && kernel.entry->unfinished;
  one["tried"] = tried_of(kernel);
  one["held_on"] = kernel.entry ? held_on(*kernel.entry) : Object::array();
  one["original"] = value_or_null(kernel.original);
  one["variant"] = value_or_null(kernel.variant);
  one["record"] = kernel.record ? record_of(kernel) : Object(nullptr);
  one["search"] = kernel.search ? search_of(*kernel.search) : Object(nullptr);
  one["spent"] = kernel.spending ? spending_of(*kernel.spending) : Object(nullptr);
  one["missing"] = kernel.missing;
  return one;
}

// The mean of ratios is the geometric one. Of what is linked, which is what a user gains.
Object summary_of(const ProjectContent& content) {
  unsigned linked = 0, kept = 0, stale = 0, untuned = 0, elsewhere = 0, running = 0;
  double logs = 0, seconds = 0;
  ModelSpending spent;
  for (const KernelContent& kernel : content.kernels) {
    const bool is_linked = kernel.state == "tuned" && kernel.listed.linked;
    linked += is_linked;
    kept += kernel.state == "kept";
    stale += kernel.state == "stale";
    untuned += kernel.state == "untuned";
    elsewhere += kernel.state == "locked";
    running += kernel.search && kernel.search->running;
    if (is_linked && kernel.entry->speedup > 0) logs += std::log(kernel.entry->speedup);
    if (kernel.record) seconds += kernel.record->seconds;
    if (!kernel.spending) continue;
    spent.calls += kernel.spending->calls;
    spent.input_tokens += kernel.spending->input_tokens;
    spent.output_tokens += kernel.spending->output_tokens;
    spent.cost += kernel.spending->cost;
  }
  return {{"kernels", content.kernels.size()},
          {"linked", linked},
          {"kept", kept},
          {"stale", stale},
          {"untuned", untuned},
          {"elsewhere", elsewhere},
          {"running", running},
          {"mean_speedup", linked ? finite(std::exp(logs / linked)) : Object(nullptr)},
          {"search_seconds", finite(seconds)},
          {"model_calls", spent.calls},
          {"tokens", spent.input_tokens + spent.output_tokens},
          {"cost", finite(spent.cost)}};
}

}  // namespace

std::string to_json(const ProjectContent& content, int indent) {
  Object kernels = Object::array();
  for (const KernelContent& kernel : content.kernels) kernels.push_back(kernel_of(kernel));
  const Object document{{"report", 1},
                        {"project", content.name},
                        {"version", content.version},
                        {"summary", summary_of(content)},
                        {"missing", content.missing},
                        {"kernels", std::move(kernels)}};
  // Compilers quote source in whatever encoding it has: bytes that are not UTF-8 are replaced.
  return document.dump(indent, ' ', false, Object::error_handler_t::replace);
}

}  // namespace hone::page
