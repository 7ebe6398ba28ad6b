#include "tool/search/prompt/compose.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tool/search/prompt/render.h"
#include "tool/search/request.h"
#include "tool/search/search.h"
#include "tool/search/text/fenced_text.h"
#include "tool/search/text/figures.h"
#include "tool/search/text/json_text.h"

namespace hone::search {
namespace {

constexpr std::size_t kLongestAdvice = 3000;  // a page: advice must not crowd out the code
constexpr std::size_t kLongestThought = 600;

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;  // not inside a character
  text.erase(end);
  return text + " …";
}

bool was_timed(const Trial& trial) {
  return trial.verdict.right && trial.number != 0;
}

// What a composition looks things up in.
class Composer {
 public:
  Composer(const Request& request, const std::vector<Trial>& trials, const TaskFacts& facts, const Materials& materials)
      : request_(request), trials_(trials), facts_(facts), materials_(materials) {}

  Brief run() {
    brief_.operator_name = request_.operator_name;
    brief_.focus = worded_for(facts_, request_.brief);
    put_facts();
    put_parents();
    put_best();
    put_shown();
    put_lessons();
    put_advice();
    put_knowledge();
    put_pairs();
    brief_.proposals = std::max(1u, request_.proposals);
    brief_.plans = has(Ingredient::plan);
    brief_.tunables =
        materials_.tunables && request_.kind == RequestKind::candidate && request_.operator_name != "repair";
    return std::move(brief_);
  }

 private:
  bool has(Ingredient wanted) const {
    return std::find(request_.ingredients.begin(), request_.ingredients.end(), wanted) != request_.ingredients.end();
  }

  const Trial* trial(unsigned number) const { return number < trials_.size() ? &trials_[number] : nullptr; }

  std::string profile_of(unsigned number) const {
    if (!has(Ingredient::profile) || request_.profile_of != number) return "";
    const auto found = materials_.profiles.find(number);
    return found != materials_.profiles.end() ? found->second : number == 0 ? facts_.profile : "";
  }

  double best_speed() const {
    const Trial* best = trial(request_.best);
    return best && was_timed(*best) ? best->verdict.measurement.speedup.median : 1;
  }

  // The score as score_of() has it, by the best when the request was asked.
  unsigned score(const Trial& of) const {
    if (!of.verdict.right && of.number != 0) return 0;
    const double speed = of.number == 0 ? 1 : of.verdict.measurement.speedup.median;
    return static_cast<unsigned>(std::clamp(std::ceil(10 * speed / best_speed()), 1.0, 10.0));
  }

  Solution solution(const Trial& of) const {
    Solution shown;
    shown.trial = of.number;
    shown.name = of.candidate.name;
    shown.source = of.candidate.source;
    shown.thought = cut(of.candidate.thought, kLongestThought);
    shown.right = of.verdict.right || of.number == 0;
    shown.profile = profile_of(of.number);
    if (was_timed(of)) {
      shown.speedup = of.verdict.measurement.speedup.median;
      shown.standing = "Measured: " + speedup_text(of.verdict.measurement.speedup);
      if (of.verdict.measurement.problems.size() > 1) shown.problems = problems_text(of.verdict.measurement);
    }
    if (!shown.right) {
      shown.verdict = of.verdict.reason;
      shown.errors = shortened_errors(of.verdict.detail);
    }
    return shown;
  }

  // The original stands in the task already.
  Solution beside_task(Solution shown) const {
    if (shown.trial == 0 && has(Ingredient::task)) shown.source.clear();
    if (shown.trial == 0) shown.profile.clear();
    return shown;
  }

  Solution bounded(Solution shown) const {
    if (shown.source.size() > materials_.most_code) shown.source.clear();
    return beside_task(std::move(shown));
  }

  void put_facts() {
    brief_.facts = facts_;
    TaskFacts& facts = brief_.facts;
    facts.profile = profile_of(0);
    if (!has(Ingredient::hardware)) {
      facts.hardware = {};
      facts.hardware.gpu = facts_.hardware.gpu;  // decides which rules hold
      facts.hardware.cores = facts_.hardware.cores;
      for (TaskProblem& problem : facts.problems)
        problem.bytes = problem.bandwidth = problem.operations = problem.floor_seconds = 0;
    }
    if (has(Ingredient::task)) return;
    facts.definition.clear();
    facts.closure.clear();
    facts.annotation.clear();
    facts.compiler.clear();
    facts.problems.clear();
  }

  void put_parents() {
    for (const unsigned number : request_.parents) {
      const Trial* parent = trial(number);
      if (!parent) continue;
      Solution shown = beside_task(solution(*parent));
      // A reply that held no code: there is nothing to show but why.
      if (!shown.right && parent->candidate.source.empty()) {
        brief_.unreadable = parent->verdict.reason;
        continue;
      }
      brief_.parents.push_back(std::move(shown));
    }
  }

  bool is_parent(unsigned number) const {
    return std::find(request_.parents.begin(), request_.parents.end(), number) != request_.parents.end();
  }

  // Where nothing but the task is told (EvoEngineer's I1), the best is its code and no more.
  void put_best() {
    const Trial* best = trial(request_.best);
    if (!has(Ingredient::best) || request_.best == 0 || !best || is_parent(request_.best)) return;
    brief_.best = solution(*best);
    if (has(Ingredient::insights) || has(Ingredient::history)) return;
    brief_.best->name.clear();
    brief_.best->thought.clear();
  }

  void put_shown() {
    const bool contrast = has(Ingredient::contrastive);
    if (!contrast && !has(Ingredient::history)) return;
    std::vector<Solution>& into = contrast ? brief_.contrast : brief_.history;
    for (const unsigned number : request_.shown) {
      const Trial* shown = trial(number);
      if (!shown || is_parent(number) || (brief_.best && request_.best == number)) continue;
      into.push_back(bounded(solution(*shown)));
      if (contrast) into.back().score = std::to_string(score(*shown)) + "/10";
    }
    brief_.history_order = order_of(brief_.history);
  }

  static std::string order_of(const std::vector<Solution>& shown) {
    const auto slower = [](const Solution& a, const Solution& b) { return a.speedup < b.speedup; };
    if (std::is_sorted(shown.begin(), shown.end(), slower)) return "slowest first";
    if (std::is_sorted(shown.rbegin(), shown.rend(), slower)) return "fastest first";
    return "oldest first";
  }

  void put_lessons() {
    for (const unsigned number : request_.insights) {
      const Trial* from = trial(number);
      if (!has(Ingredient::insights) || !from || from->candidate.thought.empty()) continue;
      const Solution shown = solution(*from);
      const std::string standing =
          shown.right ? ratio_text(shown.speedup == 0 ? 1 : shown.speedup) : "failed: " + cut(shown.verdict, 200);
      brief_.insights.push_back(
          {shown.name.empty() ? "trial " + std::to_string(number) : shown.name, standing, shown.thought});
    }
    for (const unsigned number : request_.errors) {
      const Trial* failed = trial(number);
      if (!has(Ingredient::errors) || !failed || failed->verdict.right || is_parent(number)) continue;
      Solution shown = solution(*failed);
      shown.source.clear();
      shown.errors = shortened_errors(failed->verdict.detail, 400);
      brief_.failures.push_back(std::move(shown));
    }
  }

  void put_advice() {
    brief_.advice = advice_text(request_.advice, request_.choice);
    std::size_t first = 0;
    const bool one = request_.operator_name == "apply-technique" || request_.operator_name == "post-mortem";
    if (one && !request_.techniques.empty()) {
      const Experience& technique = request_.techniques[first++];
      const double predicted = request_.predicted_gain.value_or(technique.predicted);
      brief_.advice = technique.technique;
      if (predicted > 1) brief_.advice += " (expected: " + ratio_text(predicted) + ")";
      if (!technique.note.empty()) brief_.advice += "\n" + technique.note;
    }
    for (; has(Ingredient::memory) && first < request_.techniques.size(); ++first) {
      const Experience& known = request_.techniques[first];
      brief_.memory.push_back(
          {known.technique, known.predicted, known.actual, known.uses, known.confidence, cut(known.note, 300)});
    }
    if (!has(Ingredient::target)) return;
    brief_.target = request_.target;
    if (request_.target && request_.best != 0) brief_.target_speedup = best_speed() * *request_.target / 10;
  }

  void put_knowledge() {
    if (!has(Ingredient::knowledge) && !has(Ingredient::examples)) return;
    const std::string profile = request_.profile_of ? profile_of(*request_.profile_of) : "";
    const Traits traits = classify(facts_, profile);
    const std::vector<std::string> tags = mentioned_tags(brief_.advice + " " + brief_.focus);
    if (has(Ingredient::knowledge))
      for (const Note& note : retrieve(materials_.notes, traits, tags, materials_.most_notes))
        brief_.knowledge.push_back({note.title, note.text});
    if (!has(Ingredient::examples)) return;
    note_pairs_ = retrieve(materials_.notes, traits, tags, materials_.notes.size());
  }

  // The likeliest as whole pairs, the next as winners alone. What is too long for the rest of the page makes way for
  // those behind it.
  void put_pairs() {
    std::size_t left = materials_.most_pair_code;
    const auto fits = [&](std::size_t bytes) {
      if (bytes > left) return false;
      left -= bytes;
      return true;
    };
    for (const VerifiedPair& pair : materials_.pairs) {
      const std::string gain = ratio_text(pair.gain), why = cut(pair.thought, kLongestThought);
      if (has(Ingredient::examples) && brief_.examples.size() < materials_.most_examples) {
        if (fits(pair.original.size() + pair.winner.size()))
          brief_.examples.push_back({pair.kernel, pair.original, pair.winner, gain, why});
      } else if (has(Ingredient::archive) && brief_.archive.size() < materials_.most_winners) {
        if (fits(pair.winner.size())) brief_.archive.push_back({pair.kernel, pair.winner, gain, why});
      }
    }
    for (const Note& note : note_pairs_)
      if (auto pair = example_of(note); pair && brief_.examples.size() < materials_.most_examples)
        brief_.examples.push_back(std::move(*pair));
  }

  const Request& request_;
  const std::vector<Trial>& trials_;
  const TaskFacts& facts_;
  const Materials& materials_;
  std::vector<Note> note_pairs_;  // notes that may serve as examples, the most relevant first
  Brief brief_;
};

std::string member_text(const nlohmann::json& value) {
  return value.is_string() ? value.get<std::string>()
                           : value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string item_text(const nlohmann::json& item) {
  if (!item.is_object()) return member_text(item) + "\n";
  std::string text;
  for (const auto& [name, value] : item.items()) {
    std::string words = name;
    std::replace(words.begin(), words.end(), '_', ' ');
    text += words + ": " + member_text(value) + "\n";
  }
  return text;
}

// "In file included from", carets and notes say nothing that the error does not.
bool is_noise(std::string_view line) {
  const std::string_view words = trimmed(line);
  if (words.empty() || words.starts_with("In file included") || words.find("note:") != std::string_view::npos)
    return true;
  return words.find_first_not_of("|^~ \t") == std::string_view::npos;
}

}  // namespace

Brief compose(const Request& request, const std::vector<Trial>& trials, const TaskFacts& facts,
              const Materials& materials) {
  return Composer(request, trials, facts, materials).run();
}

Brief brief_of_opinion(const Candidate& candidate, const TaskFacts& facts) {
  Brief brief;
  brief.operator_name = "opinion";
  brief.facts = facts;
  brief.facts.profile.clear();
  Solution asked;
  asked.trial = Solution::untold;
  asked.name = candidate.name;
  asked.source = candidate.source;
  asked.right = true;  // nobody has said otherwise
  brief.parents.push_back(std::move(asked));
  return brief;
}

std::string advice_text(const std::string& advice, std::optional<unsigned> choice) {
  const auto json = find_json(advice);
  if (!json) return cut(std::string(trimmed(advice)), kLongestAdvice);
  std::string text;
  if (!json->is_array()) {
    text = item_text(*json);
  } else if (choice) {
    text = *choice < json->size() ? item_text((*json)[*choice]) : "";
  } else {
    for (std::size_t i = 0; i < json->size(); ++i) text += std::to_string(i + 1) + ". " + item_text((*json)[i]);
  }
  return cut(std::string(trimmed(text)), kLongestAdvice);
}

std::string shortened_errors(const std::string& detail, std::size_t most) {
  std::string text;
  std::set<std::string> seen;
  for (std::size_t at = 0; at < detail.size() && text.size() < most;) {
    const std::size_t end = std::min(detail.find('\n', at), detail.size());
    const std::string line = cut(detail.substr(at, end - at), 300);
    at = end + 1;
    if (is_noise(line) || !seen.insert(line).second) continue;
    text += line + "\n";
  }
  return cut(std::string(trimmed(text)), most);
}

}  // namespace hone::search
