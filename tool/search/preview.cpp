#include "tool/search/preview.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/search/composer.h"
#include "tool/search/history.h"
#include "tool/search/model_operators.h"
#include "tool/search/population.h"

namespace hone::search {
namespace {

// Finds an operator by its label before its name: several may have one name.
Result<const OperatorChoice*> find(const Strategy& strategy, std::string_view name) {
  const auto all = operators_of(strategy);
  for (const OperatorChoice* choice : all)
    if (choice->label() == name) return choice;
  for (const OperatorChoice* choice : all)
    if (choice->name == name) return choice;
  std::vector<std::string> labels;
  for (const OperatorChoice* choice : all)
    if (std::ranges::find(labels, choice->label()) == labels.end()) labels.push_back(choice->label());
  return failure(fmt::format("the strategy '{}' has no operator '{}'", strategy.name, name), "",
                 fmt::format("it has {}", fmt::join(labels, ", ")));
}

Place place_of(const Strategy& strategy, const std::vector<Trial>& trials) {
  Place place;
  for (const unsigned trial : right_trials(trials))
    insert_ranked(place.members, {trial, fitness(trials[trial].verdict)});
  if (strategy.size > 0 && place.members.size() > strategy.size) place.members.resize(strategy.size);
  return place;
}

std::optional<unsigned> last_failure(const std::vector<Trial>& trials) {
  const auto failed = std::find_if(trials.rbegin(), trials.rend(),
                                   [](const Trial& trial) { return !trial.verdict.right && !trial.duplicate_of; });
  return failed == trials.rend() ? std::nullopt : std::optional(failed->number);
}

Result<void> check_parents(const Ask& ask, const std::vector<Trial>& trials) {
  const ModelOperator& known = *find_model_operator(ask.asked->name);
  const std::size_t compared = known.name == "contrastive" ? right_trials(trials).size() : 2;
  if (ask.parents.size() >= known.least && compared >= 2) return {};
  return failure(
      fmt::format("'{}' needs at least two right programs, and there is only the original", ask.asked->label()));
}

}  // namespace

Result<Request> preview(const Strategy& strategy, const Search& search, const KernelState& state,
                        std::string_view operator_name) {
  HONE_TRY(const OperatorChoice* choice, find(strategy, operator_name));
  const std::vector<Trial>& trials = search.trials();
  Place place = place_of(strategy, trials);
  if (choice->name == "repair") {
    place.current = last_failure(trials);
    if (!place.current)
      return failure(fmt::format("nothing has failed yet that '{}' could put right", choice->label()));
    place.failed = true;
  }
  Random random(1);
  const Composer composer(strategy, trials);
  Ask ask = composer.begin(*choice, place, random);
  HONE_CHECK(check_parents(ask, trials));
  if (strategy.start && choice == &*strategy.start && !strategy.briefs.empty()) ask.brief = strategy.briefs.front();
  if (choice->name == "apply-technique") ask.techniques = search.memory().relevant(state, 1);
  Request request = composer.compose(ask, place, search.best() ? search.best()->number : 0, random);
  request.arm = choice->label();
  if (request.techniques.empty() && Composer::shows(*choice, Ingredient::memory))
    request.techniques = search.memory().relevant(state, 5);
  return request;
}

}  // namespace hone::search
