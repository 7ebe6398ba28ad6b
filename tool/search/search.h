// The search as ask and tell: pure, no I/O, no clock, deterministic by seed and by what it is told.
//
// ask() says what to propose next; whoever calls turns that into a candidate (renders a genome, sends a prompt), judges
// it and tells the outcome. Outcomes must be told in the order in which the requests were asked; several may be open at
// once. A strategy is a population (who survives, who is chosen) times operators (what is asked of the proposer), held
// as data (strategy.h). Not thread-safe.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/candidate.h"
#include "tool/model/verdict.h"
#include "tool/search/strategy.h"

namespace hone::search {

// Everything the search remembers of one trial.
struct Trial {
  unsigned number = 0;  // 0 is the original
  Candidate candidate;
  Verdict verdict;                       // without raw samples
  std::optional<unsigned> duplicate_of;  // the trial that was judged in its place
};

struct Request {
  unsigned number = 0;            // of the trial that answers it
  std::string operator_name;      // init, crossover, mutation, …
  std::vector<unsigned> parents;  // trial numbers
  Genome genome;                  // for the built-in proposer: what to render
};

class Search {
 public:
  virtual ~Search() = default;
  // The same genome is never asked for twice. nullopt: the strategy has nothing left to try, unless requests are open
  // whose outcome may bring it further.
  virtual std::optional<Request> ask() = 0;
  // A duplicate of an earlier trial (0: of the original) is told with that trial's verdict; it costs the search nothing
  // and joins no population. `candidate.genome` holds the genes that did something.
  virtual void tell(const Request& request, const Candidate& candidate, const Verdict& verdict,
                    std::optional<unsigned> duplicate_of = {}) = 0;
  virtual const Trial* best() const = 0;                 // fastest that is right and faster; null: none yet
  virtual const std::vector<Trial>& trials() const = 0;  // by number; [0] is the original
};

// The built-in proposer's search over genomes. The strategy's names are those that exist (parse_strategy saw to that).
std::unique_ptr<Search> make_builtin_search(const Strategy& strategy, Catalogue catalogue, std::uint64_t seed);

}  // namespace hone::search
