#include "tool/search/composer.h"

#include <algorithm>
#include <cassert>

#include "tool/search/model_operators.h"
#include "tool/search/selection.h"

namespace hone::search {

bool Composer::shows(const OperatorChoice& choice, Ingredient ingredient) {
  return std::find(choice.ingredients.begin(), choice.ingredients.end(), ingredient) != choice.ingredients.end();
}

Ask Composer::begin(const OperatorChoice& choice, const Place& place, Random& random) const {
  Ask ask;
  ask.asked = &choice;
  if (choice.history.count && choice.history.pick == Pick::node) {
    remember_node(ask, place, random);
  } else {
    ask.parents = parents_for(choice.parents.value_or(find_model_operator(choice.name)->parents), place, random);
  }
  if (place.failed && ask.parents == std::vector{*place.current}) ask.repair_of = place.current;
  return ask;
}

std::vector<unsigned> Composer::parents_for(unsigned count, const Place& place, Random& random) const {
  std::vector<unsigned> parents;
  std::vector<Population::Member> others = place.members;
  if (place.current && count > 0) {
    parents.push_back(*place.current);
    std::erase_if(others, [&](const Population::Member& member) { return member.trial == *place.current; });
  }
  for (const unsigned other : select_parents(
           others, count - parents.size(), strategy_.selection, place.pressure,
           [this](unsigned trial) { return children_of(trial); }, random))
    parents.push_back(other);
  std::stable_sort(parents.begin(), parents.end(), [this](unsigned a, unsigned b) {
    return fitness(trials_[a].verdict) < fitness(trials_[b].verdict);
  });
  return parents;
}

// KernelEvolve: what a node remembers is drawn anew for each request: its ancestors, its siblings, the best other node
// to be combined with, or nothing at all.
void Composer::remember_node(Ask& ask, const Place& place, Random& random) const {
  enum { inherit, compare, combine, clean_slate, modes };
  HistoryChoice choice = ask.asked->history;
  const auto mode = random.below(modes);
  ask.drawn = true;
  if (mode == clean_slate) return;
  ask.parents = parents_for(mode == combine ? 2 : 1, place, random);
  choice.pick = mode == inherit ? Pick::lineage : Pick::siblings;
  if (mode != combine) ask.shown = pick_history(trials_, choice, place, ask.parents);
}

Request Composer::compose(const Ask& ask, const Place& place, unsigned best, Random& random) const {
  const OperatorChoice& choice = *ask.asked;
  Request request;
  request.operator_name = choice.name;
  request.kind = find_model_operator(choice.name)->kind;
  request.parents = ask.parents;
  request.ingredients = choice.ingredients;
  request.best = best;
  request.shown = ask.shown;
  if (!ask.drawn) request.shown = pick_history(trials_, choice.history, place, ask.parents);
  std::vector<unsigned> shown = request.parents;
  shown.push_back(best);
  request.insights = pick_insights(trials_, choice.insights, shown, random);
  request.errors = pick_errors(trials_, choice.errors, place, request.parents);
  request.profile_of = profile_of(request);
  request.advice = ask.advice;
  request.advised_by = ask.advised_by;
  request.choice = ask.choice;
  request.brief = ask.brief;
  request.repair_of = ask.repair_of;
  request.techniques = ask.techniques;
  if (!ask.techniques.empty()) request.predicted_gain = ask.techniques.front().predicted;
  if (shows(choice, Ingredient::target)) request.target = strategy_.target;
  request.proposals = choice.proposals;
  request.island = place.island;
  return request;
}

// The profile of the program that is worked on; a program that failed has none worth reading.
std::optional<unsigned> Composer::profile_of(const Request& request) const {
  if (std::find(request.ingredients.begin(), request.ingredients.end(), Ingredient::profile) ==
      request.ingredients.end())
    return std::nullopt;
  const unsigned worked_on = request.parents.empty() ? request.best : request.parents.back();
  if (!trials_[worked_on].verdict.right) return std::nullopt;
  return worked_on;
}

unsigned Composer::children_of(unsigned trial) const {
  return static_cast<unsigned>(std::count_if(trials_.begin(), trials_.end(), [&](const Trial& other) {
    const auto& parents = other.candidate.parents;
    return std::find(parents.begin(), parents.end(), trial) != parents.end();
  }));
}

}  // namespace hone::search
