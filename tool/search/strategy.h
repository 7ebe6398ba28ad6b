// A strategy as data: population and operators, two independent choices, read from JSON (one preset a file).
//
// For the built-in proposer, whose candidates are genomes:
//   { "name": "builtin",
//     "population": "elite",            who survives: "single" or "elite"
//     "size": 6,                        survivors
//     "initial": 12,                    trials before evolution starts
//     "patience": 60,                   duplicates in a row after which the search gives up
//     "operators": [ { "name": "mutation", "weight": 5 }, … ] }
//
// For a language model, whose candidates are programs:
//   { "name": "full", "proposer": "model",
//     "about": "EvoEngineer-Full …",    for people
//     "seeded": true,                   starts from the built-in proposer's best; false without it
//     "population": "elite",            single elite islands map-elites tree rounds chain clusters (population.h)
//     "size": 5,                        survivors (of each island)
//     "islands": 5,                     islands, clusters; chains side by side
//     "exchange": "reset",              islands, clusters: none, reset (worst half from the best) or ring (migration)
//     "period": 15,                     trials between two exchanges
//     "width": 4,                       rounds: candidates a depth; tree: children a node
//     "rounds": 10,                     chain: steps before it starts afresh
//     "features": [ "length", … ],      map-elites, clusters: length operator speed technique
//     "selection": "rank",              of parents: rank sigmoid uniform best
//     "schedule": "cycle",              of operators: weighted cycle bandit
//     "exploration": 1.0,               of bandit and tree
//     "initial": 1, "valid": 2,         trials, and right ones (the original counts), that "start" is asked for
//     "start": { an operator },
//     "generation": 4,                  lines of work that begin together; the next wait for their verdicts (turns.h)
//     "starts_first": true,             without generations: evolution waits for the starts
//     "abreast": 1,                     single, elite, tree: lines that may be open on one program
//     "operators": [ { "name": "crossover",
//                      "as": "crossover/errors",        for reports; the name, unless an operator stands here twice
//                      "weight": 2,
//                      "parents": 2,
//                      "ingredients": [ "task", … ],    what enters the prompt (request.h)
//                      "history": { "pick": "best", "count": 5, "order": "slow-to-fast" },
//                      "insights": 3, "errors": 2,      how many
//                      "proposals": 5,                  of advice: as many candidates follow
//                      "advised_by": { an operator that answers with advice },
//                      "followed_by": { "name": "post-mortem", … } }, … ],
//     "repair": { "tries": 1, "when": "nearer", and the members of an operator },
//     "briefs": [ "memory traffic first", … ],          each start gets one of these directions, in turn
//     "target": 10,                     score out of ten that "target" asks for
//     "own": true,                      examples and archive may show what was found for this very kernel, too
//     "opinion": "filter",              a model is asked of each candidate, before it is compiled, whether it is right:
//                                       filter (what it doubts is not judged), watch (judged all the same, and counted)
//     "patience": 20 }                  replies without anything new in a row after which the search gives up
//
// Unknown members, names that do not exist, values that contradict each other or that nothing reads are errors that
// name the line: a misspelled strategy must not run as another one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "tool/base/result.h"
#include "tool/search/request.h"

namespace hone::search {

enum class Pick { best, spread, recent, lineage, siblings, node };  // which trials are shown as history
enum class Order { slow_to_fast, fast_to_slow, oldest_first };
enum class Selection { rank, sigmoid, uniform, best };
enum class Schedule { weighted, cycle, bandit };
enum class Exchange { none, reset, ring };
// nearer: again only where the last repair came further than what it repaired.
enum class OpinionUse { none, filter, watch };  // of a model that is asked whether a candidate is right
enum class RepairWhen { any, nearer };
enum class Feature { length, operator_name, speed, technique };

struct HistoryChoice {
  Pick pick = Pick::best;
  unsigned count = 0;
  Order order = Order::slow_to_fast;
  bool operator==(const HistoryChoice&) const = default;
};

struct OperatorChoice {
  std::string name;   // init, crossover, mutation, tune-constants, …
  double weight = 1;  // share of the requests, once the population has enough to work with
  // The rest is for models.
  std::string as = {};                       // "": the name
  std::optional<unsigned> parents = {};      // absent: the operator's own number
  std::vector<Ingredient> ingredients = {};  // in the enumeration's order
  HistoryChoice history = {};
  unsigned insights = 0;
  unsigned errors = 0;
  unsigned proposals = 0;
  std::vector<OperatorChoice> advised_by = {};   // none or one
  std::vector<OperatorChoice> followed_by = {};  // none or one: after a gain under half of what was predicted
  const std::string& label() const { return as.empty() ? name : as; }
  bool operator==(const OperatorChoice&) const = default;
};

struct RepairChoice {
  unsigned tries = 0;  // in a row, of one candidate and what came of it; 0: what failed is not repaired
  RepairWhen when = RepairWhen::any;
  OperatorChoice asked = {"repair"};
  bool operator==(const RepairChoice&) const = default;
};

struct Strategy {
  std::string name;
  std::string population = "elite";
  unsigned size = 6;      // survivors
  unsigned initial = 12;  // requests that go to init (`start`) before evolution starts
  unsigned patience = 60;
  std::vector<OperatorChoice> operators;
  // The rest is for models.
  std::string proposer = "builtin";  // or "model"
  std::string about = {};            // for people
  bool seeded = false;
  unsigned valid = 0;
  std::optional<OperatorChoice> start = {};
  unsigned generation = 0;  // 0: no generations, whoever is free asks on
  bool starts_first = false;
  unsigned abreast = 0;  // 0: any number
  unsigned islands = 1;
  Exchange exchange = Exchange::none;
  unsigned period = 15;
  unsigned width = 4;
  unsigned rounds = 10;
  std::vector<Feature> features = {};
  Selection selection = Selection::rank;
  Schedule schedule = Schedule::weighted;
  double exploration = 1;
  RepairChoice repair = {};
  std::vector<std::string> briefs = {};
  std::optional<unsigned> target = {};
  bool own = false;
  OpinionUse opinion = OpinionUse::none;
  bool operator==(const Strategy&) const = default;
};

// All that it may ask for: start, operators with those before and behind them, repair. They point into `strategy`.
std::vector<const OperatorChoice*> operators_of(const Strategy& strategy);

// Whether its prompts hold what earlier searches found: examples or the archive.
bool shows_pairs(const OperatorChoice& choice);
bool shows_pairs(const Strategy& strategy);

// `text` is the preset's JSON. Error: line and what was expected.
Result<Strategy> parse_strategy(std::string_view text);

// The preset of that name that ships with Hone; "builtin" is the offline default. Error: names those that exist.
Result<Strategy> preset(std::string_view name);

}  // namespace hone::search
