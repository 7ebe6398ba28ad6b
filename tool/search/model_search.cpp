#include <algorithm>
#include <cassert>
#include <cmath>
#include <deque>
#include <map>
#include <set>

#include <nlohmann/json.hpp>

#include "tool/search/archive.h"
#include "tool/search/chooser.h"
#include "tool/search/composer.h"
#include "tool/search/credit.h"
#include "tool/search/model_operators.h"
#include "tool/search/search.h"
#include "tool/search/selection.h"
#include "tool/search/turns.h"

namespace hone::search {
namespace {

constexpr std::size_t no_arm = static_cast<std::size_t>(-1);

// A line of work: what one choice of the schedule set off (advice, candidates, repairs, a post-mortem).
struct Line {
  const OperatorChoice* asked = nullptr;
  std::size_t arm = no_arm;  // in strategy.operators
  Place place;
  unsigned model = 0;
  unsigned pending = 0;  // requests that are open or wait to be asked
  double cost = 0;
  double reward = 0;  // of the best that came of it
  bool answered = false;
};

struct Step {
  unsigned line = 0;
  Ask ask;
  unsigned tries = 0;  // repairs in a row, this one included
  bool owed = true;    // others may wait for its verdict (turns.h)
};

class ModelSearch final : public Search {
 public:
  ModelSearch(const Strategy& strategy, Start start, std::uint64_t seed)
      : strategy_(strategy),
        random_(seed),
        archive_(make_archive(strategy)),
        operators_(make_chooser(strategy.schedule, weights(strategy), strategy.exploration)),
        models_(make_chooser(Schedule::bandit, std::vector<double>(std::max(start.models, 1u), 1), 1)),
        model_count_(std::max(start.models, 1u)),
        memory_(std::move(start.memory)),
        turns_(strategy) {
    assert(strategy.proposer == "model" && !strategy.operators.empty());
    Trial original;
    original.candidate.name = "original";
    original.verdict.stage = Stage::done;
    original.verdict.right = true;
    keep(std::move(original), std::move(start.state));
    for (Start::Known& known : start.seeds)
      keep({static_cast<unsigned>(trials_.size()), std::move(known.candidate), std::move(known.verdict), {}},
           states_[0]);
  }

  std::optional<Request> ask() override {
    if (idle_ >= strategy_.patience || failures_ >= strategy_.patience) return std::nullopt;
    if (waiting_.empty() && !begin_line()) return std::nullopt;
    Step step = std::move(waiting_.front());
    waiting_.pop_front();
    Request request = request_for(step);
    open_.emplace(request.number, std::move(step));
    return request;
  }

  unsigned tell(const Request& request, const Candidate& candidate, const Verdict& verdict,
                std::optional<unsigned> duplicate_of) override {
    const Step step = take(request);
    assert(request.kind == RequestKind::candidate && "advice is told with tell_advice()");
    Trial trial{static_cast<unsigned>(trials_.size()), candidate, verdict, duplicate_of};
    trial.candidate.operator_name = request.operator_name;
    trial.candidate.parents = request.parents;
    for (ProblemMeasurement& problem : trial.verdict.measurement.problems) {
      problem.reference_samples = {};
      problem.candidate_samples = {};
    }
    trials_.push_back(std::move(trial));
    const unsigned number = trials_.back().number;
    states_.push_back(states_[request.parents.empty() ? 0 : request.parents.back()]);
    lines_.at(step.line).answered = true;
    failures_ = 0;
    if (duplicate_of) {
      ++idle_;
    } else {
      idle_ = 0;
      learn(number, request, step);
    }
    settle(step);
    return number;
  }

  void tell_advice(const Request& request, const std::string& text, bool ok) override {
    const Step step = take(request);
    assert(request.kind == RequestKind::advice && "candidates are told with tell()");
    failures_ = 0;
    if (!ok) ++idle_;
    if (request.operator_name == "post-mortem") {
      if (ok && !request.techniques.empty())
        memory_.note(request.techniques.front().state, request.techniques.front().technique, text);
    } else if (request.operator_name == "techniques") {
      if (ok) expect(text, states_[request.parents.back()]);
      if (ok) asked_about_.insert(request.parents.back());
      follow(step, request.number, "", 1);
    } else if (ok) {
      follow(step, request.number, text, std::max(step.ask.asked->proposals, 1u));
    }
    settle(step);
  }

  void fail(const Request& request) override {
    const Step step = take(request);
    ++failures_;
    if (const Line& line = lines_.at(step.line); is_start(line) && step.ask.asked == line.asked) {
      --starts_;
      if (!step.ask.brief.empty()) unused_briefs_.push_back(step.ask.brief);
    }
    settle(step);
  }

  void charge(const Request& request, double cost) override {
    const auto open = open_.find(request.number);
    assert(open != open_.end() && cost >= 0);
    lines_.at(open->second.line).cost += cost;
  }

  void profiled(unsigned trial, const KernelState& state) override { states_.at(trial) = state; }

  const Trial* best() const override { return best_ ? &trials_[*best_] : nullptr; }
  const std::vector<Trial>& trials() const override { return trials_; }
  const Memory& memory() const override { return memory_; }

 private:
  static std::vector<double> weights(const Strategy& strategy) {
    std::vector<double> weights;
    for (const OperatorChoice& choice : strategy.operators) weights.push_back(choice.weight);
    return weights;
  }

  // A trial that was known beforehand.
  void keep(Trial trial, KernelState state) {
    trials_.push_back(std::move(trial));
    states_.push_back(std::move(state));
    archive_->seed(individual(trials_.back()));
    crown(trials_.back());
  }

  Individual individual(const Trial& trial) const {
    return {trial.number, fitness(trial.verdict), trial.verdict.right, trial.candidate.parents,
            cell_of(strategy_.features, trial.candidate, trial.verdict)};
  }

  void crown(const Trial& trial) {
    if (!trial.verdict.right || !trial.verdict.faster) return;
    if (!best_ || fitness(trials_[*best_].verdict) < fitness(trial.verdict)) best_ = trial.number;
  }

  // ---- asking

  // False: nothing to ask, or nothing until verdicts come. Then nothing has changed: a recording does not tell how
  // often somebody asked in vain.
  bool begin_line() {
    const Turns::Starts wanted = starts_wanted();
    if (!turns_.may_begin(wanted) || (strategy_.abreast > 0 && asks_for_techniques())) return false;
    auto place = archive_->next(random_);
    if (!place) return false;
    turns_.keep_free(place->members);
    if (place->members.empty()) return false;
    Line line;
    line.place = *place;
    choose_operator(line);
    if (!line.asked) return false;
    line.model = static_cast<unsigned>(models_->choose(std::vector<bool>(model_count_, true), random_));
    archive_->opened(*place);
    const unsigned number = next_line_++;
    Ask ask = composer().begin(*line.asked, *place, random_);
    if (line.arm == no_arm && line.asked != &strategy_.repair.asked) ask.brief = next_brief();
    turns_.begin(number, is_start(line), ask.parents, wanted);
    lines_.emplace(number, std::move(line));
    wait(number, advised(std::move(ask)));
    return true;
  }

  bool is_start(const Line& line) const { return strategy_.start && line.asked == &*strategy_.start; }

  Turns::Starts starts_wanted() const {
    if (!strategy_.start) return {};
    const auto right = static_cast<unsigned>(valid());
    return {strategy_.initial - std::min(starts_, strategy_.initial),
            strategy_.valid - std::min(right, strategy_.valid)};
  }

  // A question about techniques is open: those that would ask it, too, wait for its answer.
  bool asks_for_techniques() const {
    const auto asks = [](const Step& step) { return step.ask.asked->name == "techniques"; };
    return std::any_of(open_.begin(), open_.end(), [&](const auto& entry) { return asks(entry.second); });
  }

  void choose_operator(Line& line) {
    const Place& place = line.place;
    const auto [asked, right] = starts_wanted();
    if (strategy_.start && (place.fresh || asked > 0 || right > 0)) {
      line.asked = &*strategy_.start;
      ++starts_;
      return;
    }
    std::vector<bool> eligible;
    for (const OperatorChoice& choice : strategy_.operators) eligible.push_back(possible(choice, place));
    const bool any = std::find(eligible.begin(), eligible.end(), true) != eligible.end();
    if (place.failed && !any) {
      line.asked = &strategy_.repair.asked;
    } else if (any) {
      line.arm = operators_->choose(eligible, random_);
      line.asked = &strategy_.operators[line.arm];
    } else if (strategy_.start) {
      line.asked = &*strategy_.start;
      ++starts_;
    }
  }

  // Enough parents; something to compare; and what failed is for an advised operator (whose judge sees the verdict) or
  // for repair.
  bool possible(const OperatorChoice& choice, const Place& place) const {
    const ModelOperator& known = *find_model_operator(choice.name);
    if (place.failed && choice.advised_by.empty() && strategy_.repair.tries > 0) return false;
    if (choice.name == "contrastive" && right_trials(trials_).size() < 2) return false;
    const unsigned wanted = choice.parents.value_or(known.parents);
    return place.members.size() >= std::min(std::max(known.least, 1u), wanted);
  }

  std::size_t valid() const { return right_trials(trials_).size(); }

  std::string next_brief() {
    if (!unused_briefs_.empty()) {
      std::string brief = std::move(unused_briefs_.front());
      unused_briefs_.pop_front();
      return brief;
    }
    return strategy_.briefs.empty() ? "" : strategy_.briefs[briefs_++ % strategy_.briefs.size()];
  }

  // An operator that is advised asks for the advice first; techniques only where the memory knows too few.
  Ask advised(Ask ask) const {
    if (ask.asked->advised_by.empty()) return ask;
    const OperatorChoice& adviser = ask.asked->advised_by.front();
    if (adviser.name == "techniques") {
      const unsigned parent = ask.parents.empty() ? 0 : ask.parents.back();
      const std::size_t known = known_techniques(states_[parent]);
      if (known >= std::max(adviser.proposals, 1u)) return ask;
      if (strategy_.abreast > 0 && known > 0 && asked_about_.contains(parent)) return ask;
    }
    ask.then = ask.asked;
    ask.asked = &adviser;
    return ask;
  }

  std::size_t known_techniques(const KernelState& state) const {
    return std::count_if(memory_.entries().begin(), memory_.entries().end(),
                         [&](const Experience& known) { return similarity(known.state, state) >= 0.5; });
  }

  void wait(unsigned line, Ask ask) {
    ++lines_.at(line).pending;
    turns_.owe(line);
    waiting_.push_back({line, std::move(ask)});
  }

  // Of a line that has its verdict: a repair or a post-mortem, for which nobody waits.
  void wait_beside(unsigned line, Ask ask, unsigned tries = 0) {
    ++lines_.at(line).pending;
    waiting_.push_back({line, std::move(ask), tries, false});
  }

  Request request_for(Step& step) {
    const Line& line = lines_.at(step.line);
    if (step.ask.asked->name == "apply-technique" && step.ask.techniques.empty()) {
      const unsigned parent = step.ask.parents.empty() ? 0 : step.ask.parents.back();
      if (auto drawn = memory_.sample(states_[parent], random_, under_way(parent))) step.ask.techniques = {*drawn};
    }
    Request request = composer().compose(step.ask, line.place, best_.value_or(0), random_);
    request.number = ++asked_;
    request.model = line.model;
    request.arm = line.asked->label();
    if (request.techniques.empty() && composer().shows(*step.ask.asked, Ingredient::memory))
      request.techniques = memory_.relevant(states_[request.parents.empty() ? 0 : request.parents.back()], 5);
    return request;
  }

  // Techniques that are being applied to the program: where several work on it, each takes another one.
  std::vector<std::string> under_way(unsigned parent) const {
    std::vector<std::string> techniques;
    if (strategy_.abreast == 0) return techniques;
    for (const auto& [number, step] : open_)
      if (!step.ask.techniques.empty() && step.ask.parents.back() == parent)
        techniques.push_back(step.ask.techniques.front().technique);
    return techniques;
  }

  Composer composer() const { return Composer(strategy_, trials_); }

  // ---- telling

  Step take(const Request& request) {
    const auto open = open_.find(request.number);
    assert(open != open_.end() && "told once, and after it was asked");
    Step step = std::move(open->second);
    open_.erase(open);
    return step;
  }

  void learn(unsigned number, const Request& request, const Step& step) {
    const Trial& trial = trials_[number];
    Line& line = lines_.at(step.line);
    const double before = best_ ? fitness(trials_[*best_].verdict) : 1;
    line.reward = std::max(line.reward, credit_.of(trial.verdict, before));
    credit_.count(trial.verdict.right);
    archive_->add(individual(trial), line.place, random_);
    crown(trial);
    remember(trial, request, step);
    if (repairable(trial, step)) {
      Ask ask;
      ask.asked = &strategy_.repair.asked;
      ask.parents = {number};
      ask.repair_of = number;
      wait_beside(step.line, std::move(ask), step.tries + 1);
    }
  }

  // Rounds and chains hand failures on themselves.
  bool repairable(const Trial& trial, const Step& step) const {
    if (trial.verdict.right || step.tries >= strategy_.repair.tries) return false;
    if (strategy_.population == "rounds" || strategy_.population == "chain") return false;
    if (strategy_.repair.when == RepairWhen::any || !step.ask.repair_of) return true;
    return trial.verdict.stage > trials_[*step.ask.repair_of].verdict.stage;
  }

  void remember(const Trial& trial, const Request& request, const Step& step) {
    if (request.techniques.empty() || request.operator_name != "apply-technique") return;
    const Experience& applied = request.techniques.front();
    const double predicted = request.predicted_gain.value_or(applied.predicted);
    const KernelState& state = states_[request.parents.back()];
    if (!trial.verdict.right) {
      memory_.record(state, applied.technique, predicted, std::nullopt);
      return;
    }
    const double parent = std::max(fitness(trials_[request.parents.back()].verdict), 1e-3);
    const double actual = fitness(trial.verdict) / parent;
    memory_.record(state, applied.technique, predicted, actual);
    const OperatorChoice* arm = step.ask.asked;
    if (arm->followed_by.empty() || !disappoints(predicted, actual)) return;
    Ask ask;
    ask.asked = &arm->followed_by.front();
    ask.parents = {trial.number};
    ask.techniques = {applied};
    ask.techniques.front().state = state;
    ask.techniques.front().predicted = predicted;
    ask.techniques.front().actual = actual;
    wait_beside(step.line, std::move(ask));
  }

  void follow(const Step& step, unsigned adviser, const std::string& text, unsigned most) {
    if (!step.ask.then) return;
    std::optional<std::size_t> listed;
    if (const auto list = nlohmann::json::parse(text, nullptr, false); list.is_array() && !list.empty())
      listed = list.size();
    for (unsigned i = 0; i < (listed ? std::min<std::size_t>(most, *listed) : 1); ++i) {
      Ask ask = step.ask;
      ask.asked = step.ask.then;
      ask.then = nullptr;
      ask.advice = text;
      ask.advised_by = adviser;
      if (listed) ask.choice = i;
      wait(step.line, std::move(ask));
    }
  }

  // [{"technique": "…", "predicted": 1.4}, …], the figure as a number or as text.
  void expect(const std::string& text, const KernelState& state) {
    nlohmann::json list = nlohmann::json::parse(text, nullptr, false);
    if (list.is_object()) list = nlohmann::json::array({list});
    if (!list.is_array()) return;
    for (const auto& item : list) {
      if (!item.is_object() || !item.contains("technique") || !item["technique"].is_string()) continue;
      const double predicted = ratio(item.value("predicted", nlohmann::json(1.0)));
      memory_.expect(state, item["technique"].get<std::string>(), predicted);
    }
  }

  static double ratio(const nlohmann::json& value) {
    double read = value.is_number() ? value.get<double>() : 1;
    if (value.is_string()) read = std::strtod(value.get_ref<const std::string&>().c_str(), nullptr);
    return read > 0 && std::isfinite(read) ? std::clamp(read, 0.1, 100.0) : 1;
  }

  void settle(const Step& step) {
    Line& line = lines_.at(step.line);
    if (step.owed) turns_.settle(step.line);
    if (--line.pending > 0) return;
    turns_.end(step.line, line.answered);
    archive_->closed(line.place, line.answered);
    const double cost = line.cost > 0 ? line.cost : 1;
    if (line.answered) {
      if (line.arm != no_arm) operators_->learn(line.arm, line.reward, cost);
      models_->learn(line.model, line.reward, cost);
    } else {
      if (line.arm != no_arm) operators_->forget(line.arm);
      models_->forget(line.model);
    }
    lines_.erase(step.line);
  }

  const Strategy strategy_;  // lines and steps point into it
  Random random_;
  std::unique_ptr<Archive> archive_;
  std::unique_ptr<Chooser> operators_;
  std::unique_ptr<Chooser> models_;
  unsigned model_count_;
  Memory memory_;
  std::set<unsigned> asked_about_;  // trials for which techniques were asked
  Credit credit_;
  Turns turns_;
  std::vector<Trial> trials_;
  std::vector<KernelState> states_;  // by trial
  std::optional<unsigned> best_;
  std::map<unsigned, Line> lines_;
  std::map<unsigned, Step> open_;  // by request
  std::deque<Step> waiting_;       // to be asked before a line is begun
  unsigned asked_ = 0;
  unsigned next_line_ = 0;
  unsigned starts_ = 0;
  std::size_t briefs_ = 0;
  std::deque<std::string> unused_briefs_;  // of starts that nobody answered
  unsigned idle_ = 0;                      // duplicates and useless advice in a row
  unsigned failures_ = 0;                  // unanswered in a row
};

}  // namespace

std::unique_ptr<Search> make_model_search(const Strategy& strategy, Start start, std::uint64_t seed) {
  return std::make_unique<ModelSearch>(strategy, std::move(start), seed);
}

}  // namespace hone::search
