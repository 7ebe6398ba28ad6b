// Where the right programs of a model's search are kept, and where the next request comes from: the population half of
// a strategy, one class for each shape.
//
//   islands   single, elite, map-elites, islands, clusters: groups of survivors, with resets or migration between them
//   tree      nodes chosen by UCT; every right program stays one
//   rounds    so many candidates at each depth; the fastest seeds the next, and where all fail they are put right
//   chain     the last program and nothing else, right or not
//
// A request, with all that follows from it (advice, candidates, repairs), is a line of work: next() names the place it
// starts from, opened() and closed() bracket it, add() brings each of its trials. Holds numbers; deterministic by the
// Random. Not thread-safe.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "tool/search/features.h"
#include "tool/search/memory/portable_random.h"
#include "tool/search/population.h"
#include "tool/search/strategy.h"

namespace hone::search {

struct Individual {
  unsigned trial = 0;
  double fitness = 0;  // population.h
  bool right = false;
  std::vector<unsigned> parents;
  Cell cell;
};

struct Place {
  unsigned island = 0;                      // or chain, or the node's trial number
  std::vector<Population::Member> members;  // who may be a parent, best first; never empty
  std::optional<unsigned> current;          // the one parent, where the shape dictates it
  bool fresh = false;                       // begins: ask what the strategy starts with
  bool failed = false;                      // `current` failed, and the line is to put it right
  std::vector<unsigned> failures;           // that the prompt should know of, the latest last
  double pressure = 1;                      // of selection
};

class Archive {
 public:
  using Member = Population::Member;
  virtual ~Archive() = default;
  // nullopt: nothing can be asked until an open line ends.
  virtual std::optional<Place> next(Random& random) = 0;
  virtual void opened(const Place& place) = 0;
  // `answered`: at least one trial was told, were it a duplicate.
  virtual void closed(const Place& place, bool answered) = 0;
  // A trial of a line that is open at `place`. Duplicates are not added.
  virtual void add(const Individual& individual, const Place& place, Random& random) = 0;
  // The original, or a program that was known beforehand.
  virtual void seed(const Individual& individual) = 0;
  virtual std::vector<Member> members() const = 0;  // of all places, best first, each once
};

std::vector<std::string> archive_names();
std::unique_ptr<Archive> make_archive(const Strategy& strategy);  // asserts that the name is one of these

std::unique_ptr<Archive> make_islands(const Strategy& strategy);
std::unique_ptr<Archive> make_tree(const Strategy& strategy);
std::unique_ptr<Archive> make_rounds(const Strategy& strategy);
std::unique_ptr<Archive> make_chains(const Strategy& strategy);

// Best first; the elder stays in front of its equals.
void insert_ranked(std::vector<Population::Member>& members, Population::Member member);

}  // namespace hone::search
