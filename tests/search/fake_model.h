// A model and a judge that are pure arithmetic: programs are 16 letters, each kernel wants certain ones, some are
// wrong.
#pragma once

#include <algorithm>
#include <deque>
#include <set>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "tool/search/memory/portable_random.h"
#include "tool/search/search.h"

namespace hone::search::fake {

inline Verdict right(double speedup) {
  Verdict verdict;
  verdict.stage = Stage::done;
  verdict.right = true;
  verdict.measurement.speedup = {speedup, speedup * 0.99, speedup * 1.01};
  verdict.faster = verdict.measurement.speedup.low > 1.02;
  return verdict;
}

inline Verdict wrong(Stage stage, std::string reason = "wrong") {
  Verdict verdict;
  verdict.stage = stage;
  verdict.reason = std::move(reason);
  return verdict;
}

inline Candidate program(std::string source, std::string thought = "") {
  Candidate candidate;
  candidate.name = source;
  candidate.source = std::move(source);
  candidate.thought = std::move(thought);
  return candidate;
}

// Each letter in its place gains a tenth; a program with a '!' does not compile, one with a '?' is wrong.
inline const std::string wanted = "abcdefghijklmnop";
inline Verdict judge(const std::string& source) {
  if (source.find('!') != std::string::npos) return wrong(Stage::compile, "expected ';' before '!'");
  if (source.find('?') != std::string::npos) return wrong(Stage::verify, "element 0 differs");
  double speedup = 0.9;
  for (std::size_t i = 0; i < wanted.size() && i < source.size(); ++i) speedup *= source[i] == wanted[i] ? 1.1 : 1;
  return right(speedup);
}

class Model {
 public:
  explicit Model(std::uint64_t seed) : random_(seed) {}

  Candidate answer(const Request& request, const std::vector<Trial>& trials) {
    std::string text = start(request, trials);
    if (const auto named = request.advice.find("letter "); named != std::string::npos) {
      const std::size_t at = std::stoul(request.advice.substr(named + 7));
      if (random_.chance(0.5)) text[at] = wanted[at];
    }
    if (request.repair_of) {
      for (char& c : text)
        if (c == '!' || c == '?') c = letter();
    } else {
      for (unsigned change = 0; change < 2; ++change) text[random_.below(text.size())] = letter();
      if (random_.chance(0.3)) text[random_.below(text.size())] = random_.chance(0.5) ? '!' : '?';
    }
    return program(text, "letters " + text.substr(0, 4));
  }

  // JSON where JSON is asked for.
  std::string advise(const Request& request, const std::vector<Trial>& trials) {
    if (request.operator_name == "propose" || request.operator_name == "techniques") return list(request);
    // A judge that sees which letter is wrong.
    const std::string& source = trials[request.parents.empty() ? 0 : request.parents.back()].candidate.source;
    std::size_t at = 0;
    while (at + 1 < std::min(source.size(), wanted.size()) && source[at] == wanted[at]) ++at;
    return fmt::format(R"({{"bottleneck":"letter {}","modification_plan":"put it right"}})", at);
  }

 private:
  // As many as are asked for.
  static std::string list(const Request& request) {
    std::vector<std::string> items;
    for (unsigned i = 0; i < std::max(request.proposals, 1u); ++i)
      items.push_back(request.operator_name == "propose"
                          ? fmt::format(R"({{"name":"p{0}","idea":"q{0}"}})", i)
                          : fmt::format(R"({{"technique":"tile {}{}","predicted":{}}})", request.number % 3, i,
                                        i % 2 ? R"("1.2x")" : "1.4"));
    return fmt::format("[{}]", fmt::join(items, ","));
  }

  char letter() { return static_cast<char>('a' + random_.below(16)); }

  std::string start(const Request& request, const std::vector<Trial>& trials) {
    const bool best = std::find(request.ingredients.begin(), request.ingredients.end(), Ingredient::best) !=
                      request.ingredients.end();
    const std::vector<unsigned>& shown = request.parents.empty() ? request.shown : request.parents;
    const unsigned from = !shown.empty() ? shown.back() : best ? request.best : 0;
    if (from != 0) return trials[from].candidate.source;
    std::string text(wanted.size(), ' ');
    for (char& c : text) c = letter();
    return text;
  }

  Random random_;
};

// All that a prompt is made of: two requests with the same text give the same prompt.
inline std::string text_of(const Request& r) {
  std::vector<std::string_view> ingredients;
  for (const Ingredient ingredient : r.ingredients) ingredients.push_back(to_string(ingredient));
  std::vector<std::string> techniques;
  for (const Experience& known : r.techniques)
    techniques.push_back(known.technique + fmt::format("@{}", known.predicted));
  return fmt::format(
      "#{} {} {} parents {} best {} shown {} insights {} errors {} profile {} repair {} advice {} choice {} "
      "brief '{}' techniques {} target {} island {} model {} arm {} {}",
      r.number, r.operator_name, r.kind == RequestKind::advice, fmt::join(r.parents, ","), r.best,
      fmt::join(r.shown, ","), fmt::join(r.insights, ","), fmt::join(r.errors, ","),
      r.profile_of ? int(*r.profile_of) : -1, r.repair_of ? int(*r.repair_of) : -1, r.advice,
      r.choice ? int(*r.choice) : -1, r.brief, fmt::join(techniques, ","), r.target.value_or(0), r.island, r.model,
      r.arm, fmt::join(ingredients, "+"));
}

// Asks with `open` requests at a time and tells in the order of asking, until so many trials were told or nothing is
// left to ask.
inline std::vector<std::string> run(Search& search, Model& model, unsigned trials, unsigned open = 1) {
  std::vector<std::string> asked;
  std::deque<Request> pending;
  const std::size_t until = search.trials().size() + trials;
  while (search.trials().size() < until) {
    while (pending.size() < open) {
      const auto request = search.ask();
      if (!request) break;
      asked.push_back(text_of(*request));
      pending.push_back(*request);
    }
    if (pending.empty()) break;
    const Request request = pending.front();
    pending.pop_front();
    if (request.kind == RequestKind::advice) {
      search.tell_advice(request, model.advise(request, search.trials()), true);
    } else {
      const Candidate candidate = model.answer(request, search.trials());
      search.tell(request, candidate, judge(candidate.source));
    }
  }
  return asked;
}

}  // namespace hone::search::fake
