#include <algorithm>
#include <cassert>
#include <list>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "tool/model/mixed_gain.h"
#include "tool/search/genome.h"
#include "tool/search/operators.h"
#include "tool/search/population.h"
#include "tool/search/search.h"

namespace hone::search {
namespace {

bool is_choice(const Gene& gene) {
  return gene.transform == choice_by_size;
}

// A choice holds for all that stands before it.
void put_choice_last(Genome& genome) {
  const auto choices = std::ranges::stable_partition(genome, [](const Gene& gene) { return !is_choice(gene); });
  if (choices.size() > 1) genome.erase(choices.begin() + 1, genome.end());
}

// Recipes that differ in their numbers alone, and in copies for one problem's values: what one of them gains says much
// about the others.
std::string family_of(const Genome& genome) {
  std::string family;
  for (const Gene& gene : genome)
    if (gene.transform != "specialise") family += gene.transform + '@' + std::to_string(gene.site) + '+';
  return family;
}

// The catalog's recipes in their order (those of families that gain little come last), from the start mixed with steps
// around the best so far (a good recipe with a wrong tile size should not have to wait for the last one), then
// evolution by the strategy's operators. Between them, what is faster on some problems and slower on others comes back
// with a choice by size in front of it, and what is wrong comes back without its less exact genes. Where these are
// wrong twice, never right, and nothing else is wrong, none of them is asked for again.
class BuiltinSearch final : public Search {
 public:
  BuiltinSearch(const Strategy& strategy, Catalog catalog, std::uint64_t seed)
      : strategy_(strategy), vocabulary_(std::move(catalog)), population_(make_population(strategy)), random_(seed) {
    Trial original;
    original.candidate.name = describe({});
    original.verdict.stage = Stage::done;
    original.verdict.right = true;
    seen_.insert(describe({}));
    for (const TransformSite& transform : vocabulary_.catalog().transforms)
      if (transform.less_exact) less_exact_.insert(transform.transform);
    const auto& recipes = vocabulary_.catalog().recipes;
    recipes_.assign(recipes.begin(), recipes.end());
    population_->add(0, original.verdict);
    trials_.push_back(std::move(original));
  }

  std::optional<Request> ask() override {
    if (duplicates_in_a_row_ >= strategy_.patience) return std::nullopt;
    // Near the end of a small space most of what is drawn was asked before: redraw, but not for ever.
    for (unsigned attempt = 0; attempt < attempts; ++attempt) {
      Request request;
      if (!draw(request)) continue;
      if (refuses_less_exact()) take_less_exact_out(request.genome);
      if (request.genome.empty() || !seen_.insert(describe(request.genome)).second) continue;
      request.number = ++asked_;
      return request;
    }
    return std::nullopt;
  }

  unsigned tell(const Request& request, const Candidate& candidate, const Verdict& verdict,
                std::optional<unsigned> duplicate_of) override {
    assert(request.number == trials_.size() && "outcomes are told in the order of their requests");
    seen_.insert(describe(candidate.genome));
    trials_.push_back({request.number, candidate, verdict, duplicate_of});
    for (ProblemMeasurement& problem : trials_.back().verdict.measurement.problems) {
      problem.reference_samples = {};
      problem.candidate_samples = {};
    }
    duplicates_in_a_row_ = duplicate_of ? duplicates_in_a_row_ + 1 : 0;
    if (duplicate_of) return request.number;
    population_->add(request.number, verdict);
    double& best_of_family = families_.try_emplace(family_of(request.genome), 0.0).first->second;
    best_of_family = std::max(best_of_family, fitness(verdict));
    consider_choice(request.number);
    consider_exactness(request.number);
    if (verdict.right && verdict.faster && (!best_ || fitness(trials_[*best_].verdict) < fitness(verdict)))
      best_ = request.number;
    return request.number;
  }

  // Genomes are rendered, not asked of anyone: there is no advice, nothing fails on the way, and all cost the same.
  void tell_advice(const Request&, const std::string&, bool) override { assert(false && "nothing asked for advice"); }
  void fail(const Request&) override { assert(false && "every genome can be rendered"); }
  void charge(const Request&, double) override {}
  void profiled(unsigned, const KernelState&) override {}

  const Trial* best() const override { return best_ ? &trials_[*best_] : nullptr; }
  const std::vector<Trial>& trials() const override { return trials_; }
  const Memory& memory() const override { return memory_; }

 private:
  static constexpr unsigned attempts = 200;  // to draw what was not tried yet, before the space counts as empty

  struct Choice {
    unsigned trial = 0;  // that it is to stand in front of
    MixedGain gain;
  };

  double known_gain() const { return best_ ? fitness(trials_[*best_].verdict) : 1; }

  void consider_choice(unsigned trial) {
    const auto& [number, candidate, verdict, duplicate_of] = trials_[trial];
    if (!verdict.right || std::ranges::any_of(candidate.genome, is_choice)) return;
    Choice choice{trial, mixed_gain(verdict.measurement)};
    if (choice.gain.is_worth_it(known_gain()) && (!choice_ || choice.gain.promised > choice_->gain.promised))
      choice_ = std::move(choice);
  }

  // Once: where no size tells its problems apart, it is what it was.
  bool draw_choice(Request& request) {
    const auto choice = std::exchange(choice_, std::nullopt);
    if (!choice || !choice->gain.is_worth_it(known_gain())) return false;
    request.operator_name = "choice";
    request.parents = {choice->trial};
    request.genome = trials_[choice->trial].candidate.genome;
    request.genome.push_back({choice_by_size, 0, choice->gain.slower});
    return true;
  }

  bool is_less_exact(const Gene& gene) const { return less_exact_.contains(gene.transform); }
  void take_less_exact_out(Genome& genome) const {
    std::erase_if(genome, [this](const Gene& gene) { return is_less_exact(gene); });
    if (std::ranges::all_of(genome, is_choice)) genome.clear();  // between the original and itself
  }
  bool refuses_less_exact() const { return wrong_less_exact_ >= 2 && right_less_exact_ == 0 && wrong_exact_ == 0; }

  // A kernel that rounds what it computed may not bear genes by which single values come out otherwise.
  void consider_exactness(unsigned trial) {
    const Trial& told = trials_[trial];
    const bool less_exact =
        std::ranges::any_of(told.candidate.genome, [this](const Gene& gene) { return is_less_exact(gene); });
    if (told.verdict.stage < Stage::verify) return;
    if (told.verdict.right) {
      right_less_exact_ += less_exact;
    } else if (less_exact) {
      ++wrong_less_exact_;
      inexact_ = trial;
    } else {
      ++wrong_exact_;  // so other genes are to blame
    }
  }

  bool draw_exact(Request& request) {
    const auto trial = std::exchange(inexact_, std::nullopt);
    if (!trial) return false;
    request.operator_name = "exact";
    request.parents = {*trial};
    request.genome = trials_[*trial].candidate.genome;
    take_less_exact_out(request.genome);
    return !request.genome.empty();
  }

  bool draw(Request& request) {
    if (draw_choice(request) || draw_exact(request)) return true;
    ++turn_;
    if (!recipes_.empty()) {
      if (best_ && turn_ % 3 == 0) return around_the_best(request);
      const auto next = next_recipe();
      request.operator_name = "init";
      request.genome = std::move(*next);
      recipes_.erase(next);
      return true;
    }
    if (asked_ < strategy_.initial) return apply("init", {}, request);
    return evolve(request);
  }

  // What is far behind the best so far is seldom made up for by other numbers.
  bool is_hopeful(const Genome& recipe) const {
    constexpr double far_behind = 0.7;
    const auto known = families_.find(family_of(recipe));
    return known == families_.end() || known->second >= far_behind * known_gain();
  }

  std::list<Genome>::iterator next_recipe() {
    const auto hopeful = std::ranges::find_if(recipes_, [this](const Genome& recipe) { return is_hopeful(recipe); });
    return hopeful != recipes_.end() ? hopeful : recipes_.begin();
  }

  bool around_the_best(Request& request) {
    if (apply("tune-constants", {*best_}, request)) return true;
    return apply("mutation", {*best_}, request);
  }

  bool evolve(Request& request) {
    std::vector<double> weights;
    for (const OperatorChoice& choice : strategy_.operators) weights.push_back(choice.weight);
    const std::string& name = strategy_.operators[random_.weighted(weights)].name;
    const unsigned parents = find_operator(name)->parents;
    // Half of the steps from a single parent start at the best: the budget is small, and rank selection is flat.
    if (parents == 1 && best_ && random_.chance(0.5)) return apply(name, {*best_}, request);
    return apply(name, population_->choose(parents, random_), request);
  }

  bool apply(const std::string& name, std::vector<unsigned> parents, Request& request) {
    const Operator* known = find_operator(name);
    assert(known && "the strategy was parsed");
    if (parents.size() < known->parents) return false;
    std::vector<Genome> genomes;
    for (const unsigned parent : parents) genomes.push_back(trials_[parent].candidate.genome);
    auto child = known->apply(vocabulary_, genomes, random_);
    if (!child || child->empty()) return false;
    put_choice_last(*child);
    request.operator_name = name;
    request.parents = std::move(parents);
    request.genome = std::move(*child);
    return true;
  }

  Strategy strategy_;
  Vocabulary vocabulary_;
  std::unique_ptr<Population> population_;
  Random random_;
  std::vector<Trial> trials_;
  std::set<std::string> seen_;              // genomes asked for, and what was left of them when rendered
  Memory memory_;                           // genomes need none: the catalog's recipes are theirs
  std::list<Genome> recipes_;               // not asked yet
  std::map<std::string, double> families_;  // the best gain of each that was told; 0: none of them was right
  std::optional<unsigned> best_;
  std::optional<Choice> choice_;                          // to be asked next
  std::set<std::string> less_exact_;                      // transformations
  unsigned wrong_less_exact_ = 0, right_less_exact_ = 0;  // trials with such genes,
  unsigned wrong_exact_ = 0;                              // and without
  std::optional<unsigned> inexact_;  // the last wrong one of them, to be asked for without these genes
  unsigned asked_ = 0;
  unsigned turn_ = 0;
  unsigned duplicates_in_a_row_ = 0;
};

}  // namespace

std::unique_ptr<Search> make_builtin_search(const Strategy& strategy, Catalog catalog, std::uint64_t seed) {
  return std::make_unique<BuiltinSearch>(strategy, std::move(catalog), seed);
}

}  // namespace hone::search
