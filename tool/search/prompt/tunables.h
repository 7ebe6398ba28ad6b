// Numbers that are not left to the model: HONE_TUNABLE(BLOCK, 64, 128, 256) in a candidate's source.
//
// The first value is the default, the others are alternatives. A declaration stands where `constexpr auto BLOCK = 64;`
// may stand (file or block scope) and becomes just that once a value is chosen; the name may be used in template
// arguments and array bounds, not in #if. TunableSearch says which choices to measure, in which order, and when to
// stop. Pure and deterministic.
#pragma once

#include <cstddef>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

namespace hone::search {

struct Tunable {
  std::string name;
  std::vector<std::string> values;  // as spelled, distinct; [0] is the default
  bool operator==(const Tunable&) const = default;
};

// One index into each tunable's values.
using TunableChoice = std::vector<std::size_t>;

// Finds the tunables of a source; not in comments, strings or preprocessor lines. More than 8 tunables or 16 values of
// one, a repeated name or no values at all are an error, which the sentence says.
tl::expected<std::vector<Tunable>, std::string> find_tunables(std::string_view source);

// The source with each declaration replaced by its plain constant; line numbers stay. Asserts that `choice` fits.
std::string resolve_tunables(std::string_view source, const std::vector<Tunable>& tunables,
                             const TunableChoice& choice);

// The source without its includes of Hone's header, which nothing but tunables needs; line numbers stay.
std::string without_hone_header(std::string_view source);

TunableChoice default_choice(const std::vector<Tunable>& tunables);
// A choice in words: "BLOCK=64 UNROLL=4".
std::string describe_choice(const std::vector<Tunable>& tunables, const TunableChoice& choice);

struct TunableTrial {
  TunableChoice choice;
  unsigned rung = 0;  // 0: a first look will do; each further rung deserves a longer one
};

class TunableSearch {
 public:
  struct Options {
    std::size_t exhaustive = 12;  // spaces up to this size are tried whole; larger ones one coordinate at a time
    std::size_t budget = 32;      // measurements of rung 0, at most
    unsigned rungs = 1;           // successive halving: the best third of each rung goes on to the next
    unsigned patience = 8;        // measurements of rung 0 in a row without a gain after which it stops; each number
                                  // has its turn first
    double gain = 1.01;           // a smaller improvement is noise
  };

  TunableSearch(std::vector<Tunable> tunables, Options options);

  // What to measure next; the default comes first. No choice is asked for twice on one rung. nullopt: nothing at the
  // moment (results of open trials are needed), or nothing any more (finished()).
  std::optional<TunableTrial> ask();
  // Greater is better, zero or less: it failed. What is asked next depends on the order of the tells.
  void tell(const TunableTrial& trial, double fitness);

  bool finished() const { return finished_; }
  // The best of the highest rung reached; the default while nothing was told.
  const TunableChoice& best() const { return best_; }
  double best_fitness() const { return best_fitness_; }

 private:
  void wave();  // what follows when nothing waits and nothing is open
  bool coordinate_wave();
  bool rung_wave();
  void put(const TunableChoice& choice);  // on rung 0, unless known or over the budget
  void look_at(const TunableTrial& trial, double fitness);

  std::vector<Tunable> tunables_;
  Options options_;
  bool exhaustive_ = false;
  std::vector<std::map<TunableChoice, double>> told_;  // by rung
  std::set<TunableChoice> asked_;                      // on rung 0
  std::deque<TunableTrial> waiting_;
  std::size_t open_ = 0;
  std::size_t coordinate_ = 0;
  std::size_t turns_ = 0;      // of coordinates
  std::size_t unmoved_ = 0;    // coordinates in a row that did not move the best
  unsigned without_gain_ = 0;  // tells in a row
  bool searched_ = false;      // rung 0 is over
  bool finished_ = false;
  TunableChoice best_;
  double best_fitness_ = 0;
  unsigned best_rung_ = 0;
};

}  // namespace hone::search
