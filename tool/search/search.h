// The search as ask and tell: pure, no I/O, no clock, deterministic by seed and by what it is told.
//
// ask() says what to propose next; whoever calls turns that into a candidate (renders a genome, sends a prompt), judges
// it and tells the outcome. A strategy is a population (who survives, who is chosen) times operators (what is asked of
// the proposer), held as data (strategy.h). Not thread-safe.
//
// Several requests may be open at once. The state of a search is a function of the seed and of the sequence of calls,
// so a journal of the calls brings it back. To make it one of seed and outcomes alone, tell in the order of asking with
// a fixed number open. The built-in search insists on that order. A model's search does not: a call that hangs may be
// overtaken (whoever drives then records the order in which it told) or given up with fail(), and blocks nothing else.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tool/model/candidate.h"
#include "tool/model/verdict.h"
#include "tool/search/memory/memory.h"
#include "tool/search/request.h"
#include "tool/search/strategy.h"

namespace hone::search {

// Everything the search remembers of one trial.
struct Trial {
  unsigned number = 0;  // 0 is the original
  Candidate candidate;
  Verdict verdict;                       // without raw samples
  std::optional<unsigned> duplicate_of;  // the trial that was judged in its place
};

class Search {
 public:
  virtual ~Search() = default;
  // nullopt: the strategy has nothing to ask until the outcome of an open request brings it further (a generation is
  // not over, say), or, where none is open, at all. Asking in vain changes nothing.
  // The built-in search never asks for the same genome twice.
  virtual std::optional<Request> ask() = 0;
  // Returns the trial's number: trials()[number]. A duplicate of an earlier trial (0: of the original) is told with
  // that trial's verdict; it costs the search nothing and joins no population. `candidate.genome` holds the genes that
  // did something. A reply that held no code is a candidate whose verdict ended at the gate.
  virtual unsigned tell(const Request& request, const Candidate& candidate, const Verdict& verdict,
                        std::optional<unsigned> duplicate_of = {}) = 0;
  // The answer to a request of kind advice. `ok` is false where the text could not be used (empty, no JSON where JSON
  // was asked for); no trial either way.
  virtual void tell_advice(const Request& request, const std::string& text, bool ok) = 0;
  // The request was not answered (provider, time-out, budget): no trial, and its place, its brief and its share of the
  // schedule are free again. Its number and the chance that it drew are spent.
  virtual void fail(const Request& request) = 0;
  // What answering cost, in a unit that a recording repeats (money or tokens, never seconds), before its outcome is
  // told. Without it every request costs the same.
  virtual void charge(const Request& request, double cost) = 0;
  // What limits a trial's code, once it was profiled. Without it a trial has its parent's state.
  virtual void profiled(unsigned trial, const KernelState& state) = 0;

  virtual const Trial* best() const = 0;                 // fastest that is right and faster; null: none yet
  virtual const std::vector<Trial>& trials() const = 0;  // by number; [0] is the original
  virtual const Memory& memory() const = 0;              // as given, with what this search learned
};

// Out of ten, by its speed as a share of the best right trial's; 0 for one that is not right.
unsigned score_of(const std::vector<Trial>& trials, unsigned number);

// The built-in proposer's search over genomes. The strategy's names are those that exist (parse_strategy saw to that).
std::unique_ptr<Search> make_builtin_search(const Strategy& strategy, Catalog catalog, std::uint64_t seed);

// The state that a model's search starts from.
struct Start {
  struct Known {
    Candidate candidate;
    Verdict verdict;
  };
  std::vector<Known> seeds;  // become trials 1, 2, …: the built-in proposer's best, say
  unsigned models = 1;       // in the ensemble
  Memory memory;             // what other kernels taught
  KernelState state;         // the original's
};

// The search over programs that a model writes. Asserts that strategy.proposer is "model".
std::unique_ptr<Search> make_model_search(const Strategy& strategy, Start start, std::uint64_t seed);

}  // namespace hone::search
