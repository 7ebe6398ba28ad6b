// From an operator and a place to a request: which parents, and which trials stand behind each ingredient.
//
// Pure; draws from the Random that is passed in. Borrows strategy and trials.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "tool/search/archive.h"
#include "tool/search/history.h"
#include "tool/search/search.h"

namespace hone::search {

// What is to be asked, before it is known when: the parts of a request that must not change between advice and what
// follows it.
struct Ask {
  const OperatorChoice* asked = nullptr;  // in the strategy
  const OperatorChoice* then = nullptr;   // after the advice
  std::vector<unsigned> parents;
  std::vector<unsigned> shown;  // where it was drawn with the parents (Pick::node)
  bool drawn = false;           // … and so stands, be it empty
  std::string advice;
  std::optional<unsigned> advised_by;
  std::string brief;
  std::optional<unsigned> choice;
  std::optional<unsigned> repair_of;
  std::vector<Experience> techniques;
};

class Composer {
 public:
  Composer(const Strategy& strategy, const std::vector<Trial>& trials) : strategy_(strategy), trials_(trials) {}

  Ask begin(const OperatorChoice& choice, const Place& place, Random& random) const;
  Request compose(const Ask& ask, const Place& place, unsigned best, Random& random) const;

  static bool shows(const OperatorChoice& choice, Ingredient ingredient);

 private:
  std::vector<unsigned> parents_for(unsigned count, const Place& place, Random& random) const;
  void remember_node(Ask& ask, const Place& place, Random& random) const;
  std::optional<unsigned> profile_of(const Request& request) const;
  unsigned children_of(unsigned trial) const;

  const Strategy& strategy_;
  const std::vector<Trial>& trials_;
};

}  // namespace hone::search
