// A strategy file: what is taken can be searched with, and keeps the search's promises whatever it is told.
#include "tool/search/strategy.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "tests/fuzz/fuzz.h"
#include "tests/search/fake_model.h"
#include "tests/search/promises.h"

namespace {

using namespace hone::search;
using hone::fuzz::require;

void require_place(const hone::Error& error, std::string_view text) {
  require(!error.what.empty(), "a refusal says why");
  require(error.where.starts_with("line "), "a refusal names the line");
  const auto line = std::stol(error.where.substr(5));
  require(line >= 1 && line <= 1 + std::count(text.begin(), text.end(), '\n'), "the line is one of the file's");
}

hone::Verdict verdict_by(Random& random) {
  return random.chance(0.6) ? fake::right(std::exp(4 * random.unit() - 2))
                            : fake::wrong(static_cast<hone::Stage>(random.below(3)));
}

void tell(Search& search, const Request& request, fake::Model& model, Random& random) {
  if (random.chance(0.5)) search.charge(request, 100 * random.unit());
  if (random.chance(0.1)) return search.fail(request);
  if (request.kind == RequestKind::advice)
    return search.tell_advice(request, model.advise(request, search.trials()), random.chance(0.8));
  hone::Verdict verdict = verdict_by(random);
  std::optional<unsigned> twin;
  if (random.chance(0.15)) {
    twin = static_cast<unsigned>(random.below(search.trials().size()));
    verdict = search.trials()[*twin].verdict;
    if (const auto first = search.trials()[*twin].duplicate_of) twin = first;
  }
  search.tell(request, fake::program("p", "because"), verdict, twin);
}

void search_with_model(const Strategy& strategy, std::uint64_t seed) {
  Start start;
  start.models = 1 + seed % 3;
  if (seed % 2) start.seeds.push_back({fake::program("seed"), fake::right(1.5)});
  const auto search = make_model_search(strategy, start, seed);
  Promises promises(*search);
  fake::Model model(seed);
  Random random(seed);
  std::vector<Request> open;
  for (unsigned step = 0; step < 60; ++step) {
    while (open.size() < 1 + seed % 4) {
      const auto request = search->ask();
      if (!request) break;
      const std::string broken = promises.broken_by(*request);
      require(broken.empty(), broken.c_str());
      require(request->model < start.models, "a model is one of the ensemble");
      open.push_back(*request);
    }
    require(step > 0 || !open.empty(), "a strategy that was taken begins");
    if (open.empty()) break;
    const auto at = open.begin() + static_cast<std::ptrdiff_t>(random.below(open.size()));
    const Request request = *at;
    open.erase(at);
    tell(*search, request, model, random);
  }
}

void search_alone(const Strategy& strategy, std::uint64_t seed) {
  hone::Catalog catalog;
  catalog.transforms = {{"tile", 2, {{8, 16, 32}}}, {"unroll", 3, {{2, 4}}}, {"interchange", 1, {}}};
  catalog.recipes = {{{"tile", 0, {16}}}, {{"interchange", 0, {}}, {"unroll", 1, {4}}}};
  const auto search = make_builtin_search(strategy, catalog, seed);
  Random random(seed);
  std::set<std::string> asked;
  for (unsigned step = 0; step < 40; ++step) {
    const auto request = search->ask();
    if (!request) break;
    std::string genome;
    for (const hone::Gene& gene : request->genome) {
      genome += gene.transform + '@' + std::to_string(gene.site);
      for (const int argument : gene.arguments) genome += ' ' + std::to_string(argument);
      genome += ';';
    }
    require(asked.insert(genome).second, "no genome is asked for twice");
    hone::Candidate candidate = fake::program("p");
    candidate.genome = request->genome;
    search->tell(*request, candidate, verdict_by(random));
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = hone::fuzz::text_of(data, size);
  const auto strategy = parse_strategy(text);
  if (!strategy) {
    require_place(strategy.error(), text);
    return 0;
  }
  require(!strategy->name.empty() && !strategy->operators.empty(), "a strategy has a name and operators");
  require(parse_strategy(text).value() == *strategy, "the same text is the same strategy");
  if (strategy->proposer == "model")
    search_with_model(*strategy, size);
  else
    search_alone(*strategy, size);
  return 0;
}
