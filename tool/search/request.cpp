#include "tool/search/request.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace hone::search {
namespace {

constexpr std::array order{Ingredient::task,      Ingredient::hardware,    Ingredient::profile,  Ingredient::best,
                           Ingredient::history,   Ingredient::contrastive, Ingredient::insights, Ingredient::errors,
                           Ingredient::knowledge, Ingredient::examples,    Ingredient::archive,  Ingredient::memory,
                           Ingredient::plan,      Ingredient::target};

}  // namespace

std::string_view to_string(Ingredient ingredient) {
  switch (ingredient) {
    case Ingredient::task:
      return "task";
    case Ingredient::hardware:
      return "hardware";
    case Ingredient::profile:
      return "profile";
    case Ingredient::best:
      return "best";
    case Ingredient::history:
      return "history";
    case Ingredient::contrastive:
      return "contrastive";
    case Ingredient::insights:
      return "insights";
    case Ingredient::errors:
      return "errors";
    case Ingredient::knowledge:
      return "knowledge";
    case Ingredient::examples:
      return "examples";
    case Ingredient::archive:
      return "archive";
    case Ingredient::memory:
      return "memory";
    case Ingredient::plan:
      return "plan";
    case Ingredient::target:
      return "target";
  }
  assert(false && "an ingredient without a name");
  return "";
}

unsigned candidates_of(const Request& request) {
  if (request.operator_name == "post-mortem") return 0;
  return request.operator_name == "propose" ? std::max(request.proposals, 1u) : 1;
}

std::span<const Ingredient> all_ingredients() {
  return order;
}

}  // namespace hone::search
