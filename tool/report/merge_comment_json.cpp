#include <nlohmann/json.hpp>

#include "tool/report/merge_comment.h"

namespace hone::report {
namespace {

using json = nlohmann::ordered_json;

json figure_json(const Speedup& speedup) {
  return {{"median", speedup.median}, {"low", speedup.low}, {"high", speedup.high}};
}

json entry_json(const std::optional<CommentEntry>& entry) {
  if (!entry) return nullptr;
  const bool original = entry->variant.empty();
  return {{"variant", original ? json() : json(entry->variant)},
          {"speedup", original ? json() : figure_json(entry->speedup)},
          {"notes", entry->notes}};
}

json kernel_json(const CommentKernel& kernel) {
  json text = {{"name", kernel.name},
               {"file", kernel.file},
               {"line", kernel.line == 0 ? json() : json(kernel.line)},
               {"outcome", kernel.outcome},
               {"before", entry_json(kernel.before)},
               {"after", entry_json(kernel.after)},
               {"machine", kernel.machine},
               {"built_as", kernel.built_as},
               {"evidence", kernel.evidence},
               {"tried", json::object()},
               {"problems", json::array()},
               {"machines", json::array()},
               {kernel.is_diff ? "diff" : "source", kernel.code}};
  for (const TriedLine& line : kernel.tried) text["tried"][line.label] = line.text;
  for (const CommentProblem& problem : kernel.problems)
    text["problems"].push_back({{"label", problem.label},
                                {"speedup", figure_json(problem.speedup)},
                                {"reference_seconds", problem.reference_seconds},
                                {"candidate_seconds", problem.candidate_seconds},
                                {"pairs", problem.pairs}});
  for (const CommentMachine& machine : kernel.machines)
    text["machines"].push_back({{"name", machine.name},
                                {"standing", machine.standing},
                                {"speedup", machine.speedup ? figure_json(*machine.speedup) : json()}});
  return text;
}

}  // namespace

std::string comment_json(const MergeComment& comment) {
  json text = {{"since", comment.since.empty() ? json() : json(comment.since)},
               {"locks", json::array()},
               {"reproduce", comment.reproduce}};
  for (const CommentLock& lock : comment.locks) {
    json one = {{"lock", lock.path}, {"note", lock.note}, {"unchanged", lock.unchanged}, {"kernels", json::array()}};
    for (const CommentKernel& kernel : lock.kernels) one["kernels"].push_back(kernel_json(kernel));
    text["locks"].push_back(std::move(one));
  }
  return text.dump(2, ' ', false, json::error_handler_t::replace) + '\n';
}

}  // namespace hone::report
