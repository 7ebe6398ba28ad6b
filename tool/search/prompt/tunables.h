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
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <tl/expected.hpp>

#include "tool/search/memory/portable_random.h"

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

class TunableModel;

class TunableSearch {
 public:
  struct Options {
    std::size_t exhaustive = 12;  // spaces up to this size are tried whole; of larger ones what promises most
    std::size_t budget = 32;      // measurements of rung 0, at most
    unsigned rungs = 2;           // what a look leaves open about the best has a longer one on the next
    unsigned patience = 24;       // measurements of rung 0 in a row without a gain after which it stops
    std::size_t failures = 6;     // after which it stops, where nothing has worked yet
    double gain = 1.01;           // a smaller improvement is noise, and not worth a measurement
  };

  TunableSearch(std::vector<Tunable> tunables, Options options);
  ~TunableSearch();
  TunableSearch(const TunableSearch&) = delete;

  // What to measure next; the default comes first. No choice is asked for twice on one rung. nullopt: nothing at the
  // moment (results of open trials are needed), or nothing any more (finished()).
  std::optional<TunableTrial> ask();
  // Greater is better, zero or less: it failed. `decided`: a longer look would say nothing that matters. What is asked
  // next depends on the order of the tells and on what is open then.
  void tell(const TunableTrial& trial, double fitness, bool decided = true);

  bool finished() const { return finished_; }
  // The best of the highest rung reached; the default while nothing was told.
  const TunableChoice& best() const { return best_; }
  double best_fitness() const { return best_fitness_; }

 private:
  struct Told {
    double fitness = 0;
    bool decided = true;
  };

  void refill();  // when nothing waits
  void spread();
  void ask_model();
  void climb();                           // to the next rung
  void put(const TunableChoice& choice);  // on rung 0, unless known or over the budget
  void look_at(const TunableTrial& trial, double fitness);
  bool is_over() const;
  std::vector<TunableChoice> promising() const;

  std::vector<Tunable> tunables_;
  Options options_;
  bool exhaustive_ = false;
  std::vector<std::map<TunableChoice, Told>> told_;  // by rung
  std::set<TunableChoice> asked_;                    // on rung 0
  std::deque<TunableTrial> waiting_;
  std::vector<TunableChoice> open_;
  std::unique_ptr<TunableModel> model_;
  Random random_;
  unsigned without_gain_ = 0;  // tells in a row, of what the model promised
  bool spread_out_ = false;    // the choices that the model begins with were asked for
  bool searched_ = false;      // rung 0 is over
  bool finished_ = false;
  TunableChoice best_;
  double best_fitness_ = 0;
  unsigned best_rung_ = 0;
};

}  // namespace hone::search
