// What holds of each request of a model's search, whatever the verdicts are, in any order of telling, with failed calls
// and duplicates between: shared by the tests and the libFuzzer target.
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "tool/search/model_operators.h"
#include "tool/search/search.h"

namespace hone::search {

class Promises {
 public:
  explicit Promises(const Search& search) : search_(search) {}  // borrowed

  // "" or the promise that the request breaks. To be called for each, in order.
  std::string broken_by(const Request& request) {
    if (request.number != ++last_) return "requests are numbered in order";
    const ModelOperator* known = find_model_operator(request.operator_name);
    if (!known) return "an operator is one of those that exist";
    if (request.kind != known->kind) return "an operator asks for what it is there for";
    if (known->advised == request.advice.empty()) return request.operator_name + " is advised where it needs advice";
    if (request.parents.size() > std::max(known->most, 1u)) return "there are not too many parents";
    if (request.kind == RequestKind::candidate && request.parents.size() < known->least)
      return "there are enough parents";
    for (const auto* numbers : {&request.parents, &request.shown, &request.insights, &request.errors})
      if (!distinct_and_known(*numbers)) return "trials that are named exist, and are named once";
    for (const unsigned parent : request.parents) {
      if (search_.trials()[parent].duplicate_of) return "a duplicate is nobody's parent";
      if (std::find(request.shown.begin(), request.shown.end(), parent) != request.shown.end())
        return "a parent is not shown as history";
    }
    for (const unsigned failed : request.errors)
      if (search_.trials()[failed].verdict.right) return "only what failed is shown as a failure";
    if (request.repair_of && (!is_known(*request.repair_of) || search_.trials()[*request.repair_of].verdict.right ||
                              request.parents != std::vector{*request.repair_of}))
      return "what is repaired failed, and is the only parent";
    if (request.profile_of && (!is_known(*request.profile_of) || !search_.trials()[*request.profile_of].verdict.right ||
                               (!request.parents.empty() && request.parents.back() != *request.profile_of)))
      return "a profile is that of the right program that is worked on";
    if (!is_known(request.best)) return "the best is a trial";
    if (!std::is_sorted(request.ingredients.begin(), request.ingredients.end())) return "ingredients are in order";
    return "";
  }

 private:
  bool is_known(unsigned number) const { return number < search_.trials().size(); }
  bool distinct_and_known(const std::vector<unsigned>& numbers) const {
    return std::set<unsigned>(numbers.begin(), numbers.end()).size() == numbers.size() &&
           std::all_of(numbers.begin(), numbers.end(), [this](unsigned number) { return is_known(number); });
  }

  const Search& search_;
  unsigned last_ = 0;
};

}  // namespace hone::search
