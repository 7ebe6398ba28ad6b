#include "tool/search/prompt/view.h"

#include <algorithm>

#include <fmt/format.h>

#include "tool/model/kernel_language.h"
#include "tool/search/prompt/device_lines.h"
#include "tool/search/text/fenced_text.h"
#include "tool/search/text/figures.h"

namespace hone::search {
namespace {

using kainjow::mustache::data;

void put(data& into, const std::string& name, const std::string& text) {
  if (!text.empty()) into.set(name, text);
}
void put_flag(data& into, const std::string& name, bool value) {
  into.set(name, data(value));
}
void put_list(data& into, const std::string& name, data list) {
  put_flag(into, "has_" + name, list.is_non_empty_list());
  into.set(name, std::move(list));
}

std::string fence_language(const TaskFacts& facts) {
  if (facts.language.starts_with("cuda")) return "cuda";
  return is_c_name(facts.language) ? "c" : "cpp";
}

std::string language_name(const TaskFacts& facts) {
  if (facts.language.starts_with("cuda")) return "CUDA";
  if (is_c_name(facts.language)) return is_c89_name(facts.language) ? "C89" : "C";
  return facts.language.starts_with("c++") ? "C++" + facts.language.substr(3) : "C++";
}

void put_task(data& into, const TaskFacts& facts) {
  const std::string language = fence_language(facts);
  put(into, "language_name", language_name(facts));
  put(into, "fence", language);
  put_flag(into, "c", is_c_name(facts.language));
  put_flag(into, "c89", is_c89_name(facts.language));
  put(into, "function", facts.function.empty() ? facts.kernel : facts.function);
  put(into, "signature", facts.signature);
  put(into, "scope", facts.scope);
  put(into, "launch", facts.launch);
  put(into, "launcher", facts.launcher);
  put(into, "no_launcher", facts.no_launcher);
  put(into, "tolerance", facts.tolerance);
  put(into, "annotation", facts.annotation);
  put(into, "language", facts.language);
  put(into, "compiler", facts.compiler);
  put(into, "flags", facts.flags);
  put(into, "original_profile", facts.profile);
  if (!facts.definition.empty()) into.set("definition", fenced(facts.definition, language));
  if (!facts.closure.empty()) into.set("closure", fenced(facts.closure, language));
  if (facts.threads > 1) into.set("threads", std::to_string(facts.threads));
  put_flag(into, "openmp", facts.flags.find("-fopenmp") != std::string::npos);
}

void put_problems(data& into, const TaskFacts& facts) {
  double sum = 0;
  for (const TaskProblem& problem : facts.problems) sum += problem.weight;
  data problems(data::type::list);
  for (const TaskProblem& problem : facts.problems) {
    data item;
    put(item, "label", problem.label.empty() ? "as annotated" : problem.label);
    if (facts.problems.size() > 1 && sum > 0) item.set("share", percent_text(problem.weight / sum));
    if (problem.seconds > 0) item.set("seconds", seconds_text(problem.seconds));
    problems << item;
  }
  put_flag(into, "has_problems", problems.is_non_empty_list());
  into.set("task_problems", std::move(problems));
}

data roofline(const TaskFacts& facts) {
  data list(data::type::list);
  for (const TaskProblem& problem : facts.problems) {
    if (problem.bytes <= 0 && problem.operations <= 0) continue;
    data item;
    put(item, "label", problem.label.empty() ? "as annotated" : problem.label);
    if (problem.bytes > 0) item.set("bytes", bytes_text(problem.bytes));
    if (problem.bytes > 0 && problem.bandwidth > 0) item.set("at", rate_text(problem.bandwidth, "B/s"));
    if (problem.operations > 0) item.set("operations", rate_text(problem.operations, "") + " operations");
    if (problem.floor_seconds > 0) item.set("floor", seconds_text(problem.floor_seconds));
    if (problem.floor_seconds > 0 && problem.seconds > 0)
      item.set("headroom", percent_text(problem.floor_seconds / problem.seconds));
    list << item;
  }
  return list;
}

std::string caches(const Hardware& hardware) {
  std::string text;
  for (const CacheLevel& cache : hardware.caches) {
    text +=
        (text.empty() ? "L" : ", L") + std::to_string(cache.level) + " " + cache_text(static_cast<double>(cache.bytes));
    if (cache.shared_by > 1) text += " shared by " + std::to_string(cache.shared_by);
  }
  if (!hardware.caches.empty()) text += "; lines of " + std::to_string(hardware.caches.front().line) + " bytes";
  return text;
}

std::string peak_text(const Hardware& hardware) {
  std::string text;
  for (const PeakRate& peak : hardware.peaks)
    text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", rate_text(peak.rate, "op/s"), peak.on);
  if (!text.empty()) return text + "; measured, a multiply-add is two";
  return hardware.peak_operations > 0 ? rate_text(hardware.peak_operations, "op/s") : "";
}

void put_hardware(data& into, const TaskFacts& facts) {
  const Hardware& hardware = facts.hardware;
  put(into, "cpu", hardware.cpu);
  put(into, "gpu", hardware.gpu);
  put(into, "isa", facts.target);
  put(into, "caches", caches(hardware));
  if (hardware.cores > 1) into.set("cores", std::to_string(hardware.cores));
  if (hardware.vector_bits >= 64) {
    into.set("vector_bits", std::to_string(hardware.vector_bits));
    into.set("vector_lanes", fmt::format("{} float, {} double, {} bytes", hardware.vector_bits / 32,
                                         hardware.vector_bits / 64, hardware.vector_bits / 8));
  }
  if (hardware.vector_registers > 0) into.set("vector_registers", std::to_string(hardware.vector_registers));
  if (hardware.bandwidth > 0) into.set("bandwidth", rate_text(hardware.bandwidth, "B/s"));
  if (const std::string peak = peak_text(hardware); !peak.empty()) into.set("peak", peak);
  data device(data::type::list);
  for (const std::string& line : device_lines(hardware.device)) device << data("line", line);
  into.set("device", std::move(device));
  data lines = roofline(facts);
  put_flag(into, "has_hardware",
           !hardware.cpu.empty() || !hardware.gpu.empty() || !facts.target.empty() || hardware.vector_bits > 0 ||
               !hardware.caches.empty() || hardware.bandwidth > 0 || lines.is_non_empty_list());
  into.set("roofline", std::move(lines));
}

std::string title(const Solution& solution) {
  if (solution.trial == 0) return "the original";
  if (solution.trial == Solution::untold) return solution.name.empty() ? "a candidate" : solution.name;
  const std::string number = "trial " + std::to_string(solution.trial);
  return solution.name.empty() ? number : solution.name + " (" + number + ")";
}

data solution_view(const Solution& solution, const TaskFacts& facts) {
  data item;
  item.set("title", title(solution));
  put(item, "standing", solution.standing);
  put(item, "problems", solution.problems);
  put(item, "thought", solution.thought);
  put(item, "verdict", solution.verdict);
  put(item, "score", solution.score);
  put(item, "profile", solution.profile);
  if (!solution.source.empty()) item.set("source", fenced(solution.source, fence_language(facts)));
  if (!solution.errors.empty()) item.set("errors", fenced(solution.errors, ""));
  return item;
}

data solutions_view(const std::vector<Solution>& solutions, const TaskFacts& facts) {
  data list(data::type::list);
  for (const Solution& solution : solutions) list << solution_view(solution, facts);
  return list;
}

// The original's text stands with the task already, and its heading alone would say nothing.
bool stands_above(const Solution& solution) {
  return solution.trial == 0 && solution.source.empty();
}

std::string role(const Brief& brief, std::size_t index) {
  if (brief.operator_name == "next-version") return "Version v" + std::to_string(index);
  if (brief.parents.size() > 1) return "Parent " + std::to_string(index + 1);
  return "The version at hand";
}

void put_parents(data& into, const Brief& brief) {
  data list(data::type::list);
  for (std::size_t i = 0; i < brief.parents.size(); ++i) {
    data item = solution_view(brief.parents[i], brief.facts);
    item.set("role", role(brief, i));
    put_flag(item, "above", stands_above(brief.parents[i]));
    list << item;
  }
  put_list(into, "parents", std::move(list));
  into.set("subject", brief.parents.empty() ? "the original" : "the version at hand");
  put_flag(into, "parent_failed", !brief.parents.empty() && !brief.parents.front().right);
  into.set("next_version", "v" + std::to_string(brief.parents.size()));
}

void put_search(data& into, const Brief& brief) {
  put_list(into, "history", solutions_view(brief.history, brief.facts));
  put(into, "history_order", brief.history_order.empty() ? "slowest first" : brief.history_order);
  put_list(into, "contrast", solutions_view(brief.contrast, brief.facts));
  put_list(into, "failures", solutions_view(brief.failures, brief.facts));
  put_flag(into, "has_best", brief.best.has_value());
  if (brief.best) into.set("best", solution_view(*brief.best, brief.facts));
  data insights(data::type::list);
  for (const Insight& insight : brief.insights) {
    data item;
    item.set("title", insight.name);
    put(item, "standing", insight.standing);
    item.set("thought", insight.thought);
    insights << item;
  }
  put_list(into, "insights", std::move(insights));
}

std::string gain_text(const MemoryItem& item) {
  if (item.uses == 0)
    return item.predicted_gain > 0 ? "expected " + ratio_text(item.predicted_gain) + ", not measured yet" : "";
  return fmt::format("measured {} ({} {})", ratio_text(item.measured_gain), item.uses,
                     item.uses == 1 ? "time" : "times");
}

void put_knowledge(data& into, const Brief& brief) {
  data knowledge(data::type::list);
  for (const KnowledgeItem& known : brief.knowledge) {
    data item;
    item.set("title", known.title);
    item.set("text", std::string(trimmed(known.text)));
    knowledge << item;
  }
  put_list(into, "knowledge", std::move(knowledge));
  data memory(data::type::list);
  for (const MemoryItem& known : brief.memory) {
    data item;
    item.set("technique", known.technique);
    put(item, "gain", gain_text(known));
    put(item, "lesson", known.lesson);
    memory << item;
  }
  put_list(into, "memory", std::move(memory));
  data examples(data::type::list);
  for (const Example& example : brief.examples) {
    data item;
    item.set("title", example.title);
    put(item, "gain", example.gain);
    put(item, "why", example.why);
    item.set("slow", fenced(example.slow, fence_language(brief.facts)));
    item.set("fast", fenced(example.fast, fence_language(brief.facts)));
    examples << item;
  }
  put_list(into, "examples", std::move(examples));
  data archive(data::type::list);
  for (const Winner& winner : brief.archive) {
    data item;
    item.set("title", winner.title);
    put(item, "gain", winner.gain);
    put(item, "why", winner.why);
    item.set("code", fenced(winner.code, fence_language(brief.facts)));
    archive << item;
  }
  put_list(into, "archive", std::move(archive));
}

std::string aim(const Brief& brief) {
  if (!brief.target) return "";
  std::string text = fmt::format("Aim for a score of {}/10", *brief.target);
  if (brief.target_speedup > 0) text += ", that is " + ratio_text(brief.target_speedup) + " the original's speed";
  return text + ".";
}

void put_wishes(data& into, const Brief& brief) {
  put(into, "advice", brief.advice);
  put(into, "focus", brief.focus);
  put(into, "unreadable", brief.unreadable);
  put(into, "aim", aim(brief));
  into.set("proposals", std::to_string(std::max(1u, brief.proposals)));
  put_flag(into, "several", brief.proposals > 1);
  put_flag(into, "plans", brief.plans);
  put_flag(into, "tunables", brief.tunables);
}

}  // namespace

std::string fenced(std::string_view text, std::string_view language) {
  std::size_t longest = 2;
  for (std::size_t at = text.find('`'); at != std::string_view::npos; at = text.find('`', at)) {
    const std::size_t end = std::min(text.find_first_not_of('`', at), text.size());
    longest = std::max(longest, end - at);
    at = end;
  }
  const std::string fence(longest + 1, '`');
  const std::size_t end = text.find_last_not_of(" \t\n\r");
  std::string block = fence + std::string(language) + "\n";
  if (end != std::string_view::npos) block.append(text.substr(0, end + 1)).append("\n");
  return block + fence;
}

data view(const Brief& brief) {
  data all;
  put_task(all, brief.facts);
  put_problems(all, brief.facts);
  put_hardware(all, brief.facts);
  put_parents(all, brief);
  put_search(all, brief);
  put_knowledge(all, brief);
  put_wishes(all, brief);
  return all;
}

}  // namespace hone::search
