#include "tool/search/strategy_reader.h"

#include <algorithm>
#include <array>

#include "tool/search/model_operators.h"
#include "tool/search/operators.h"

namespace hone::search {
namespace {

using nlohmann::json;

template <class E>
using Name = std::pair<std::string_view, E>;

constexpr std::array picks{Name<Pick>{"best", Pick::best},         Name<Pick>{"spread", Pick::spread},
                           Name<Pick>{"recent", Pick::recent},     Name<Pick>{"lineage", Pick::lineage},
                           Name<Pick>{"siblings", Pick::siblings}, Name<Pick>{"node", Pick::node}};
constexpr std::array orders{Name<Order>{"slow-to-fast", Order::slow_to_fast},
                            Name<Order>{"fast-to-slow", Order::fast_to_slow},
                            Name<Order>{"oldest-first", Order::oldest_first}};

bool shows(const OperatorChoice& choice, Ingredient ingredient) {
  return std::find(choice.ingredients.begin(), choice.ingredients.end(), ingredient) != choice.ingredients.end();
}

bool fits(const ModelOperator& known, Entry role) {
  switch (role) {
    case Entry::evolve:
      return known.kind == RequestKind::candidate && known.name != "repair";
    case Entry::start:
      return known.kind == RequestKind::candidate && known.least == 0 && !known.advised;
    case Entry::repair:
      return known.name == "repair";
    case Entry::advice:
      return known.kind == RequestKind::advice && known.name != "post-mortem";
    case Entry::afterwards:
      return known.name == "post-mortem";
  }
  return false;
}

void read_name(JsonMembers& members, Entry role, OperatorChoice& choice) {
  const bool given = members.read("name", choice.name);
  std::vector<std::string_view> names;
  for (const ModelOperator& known : model_operators())
    if (fits(known, role)) names.push_back(known.name);
  const bool good = std::find(names.begin(), names.end(), choice.name) != names.end();
  if (!good || (!given && role != Entry::repair))
    members.complain("name", fmt::format("one of {}", fmt::join(names, ", ")));
}

void read_ingredients(JsonMembers& members, OperatorChoice& choice) {
  const json* list = members.find("ingredients");
  std::vector<std::string_view> names;
  for (const Ingredient ingredient : all_ingredients()) names.push_back(to_string(ingredient));
  const auto wrong = [&] {
    members.complain("ingredients", fmt::format("a list of {}, each once", fmt::join(names, ", ")));
  };
  if (!list) return;
  if (!list->is_array() || list->empty()) return wrong();
  for (const json& entry : *list) {
    const auto at = std::find(names.begin(), names.end(), entry.is_string() ? entry.get<std::string>() : "");
    if (at == names.end() || shows(choice, all_ingredients()[at - names.begin()])) return wrong();
    choice.ingredients.push_back(all_ingredients()[at - names.begin()]);
  }
  std::sort(choice.ingredients.begin(), choice.ingredients.end());
}

void read_history(JsonMembers& members, std::string_view text, OperatorChoice& choice) {
  const json* object = members.find("history");
  const bool shown = shows(choice, Ingredient::history) || shows(choice, Ingredient::contrastive);
  if (!object) {
    if (shown) members.complain("history", "given with a count: the ingredients ask for it");
    return;
  }
  if (!shown) return members.complain("history", "left out, or \"history\" or \"contrastive\" must be an ingredient");
  if (!object->is_object()) return members.complain("history", "an object with pick, count and order");
  JsonMembers inner(*object, text, members.value_at("history"));
  inner.read("pick", choice.history.pick, std::span<const Name<Pick>>(picks));
  inner.read("order", choice.history.order, std::span<const Name<Order>>(orders));
  if (!inner.read("count", choice.history.count, 1, 100)) inner.complain("count", "given, from 1 to 100");
  if (auto error = inner.finish()) members.adopt(*error);
}

// A count without its ingredient would have no effect, an ingredient without its count would be empty.
void read_count(JsonMembers& members, const char* key, Ingredient ingredient, unsigned& count,
                const OperatorChoice& choice) {
  const bool given = members.read(key, count, 1, 100);
  if (given == shows(choice, ingredient)) return;
  members.complain(key, given ? fmt::format("left out, or \"{}\" must be an ingredient", key)
                              : "given as a count: it is an ingredient");
}

void read_parents(JsonMembers& members, const ModelOperator& known, OperatorChoice& choice) {
  unsigned count = 0;
  if (!members.has("parents")) {
    members.find("parents");
  } else if (members.read("parents", count, known.least, known.most)) {
    choice.parents = count;
  }
}

void read_nested(JsonMembers& members, std::string_view text, const char* key, Entry role,
                 std::vector<OperatorChoice>& into) {
  const json* entry = members.find(key);
  if (!entry) return;
  auto read = read_model_operator(*entry, text, members.value_at(key), role);
  if (read) {
    into = {std::move(*read)};
  } else {
    members.adopt(read.error());
  }
}

}  // namespace

Result<OperatorChoice> read_genome_operator(const json& entry, std::string_view text, std::size_t at) {
  if (!entry.is_object()) return failure("an operator must be an object with a name and a weight", line_of(text, at));
  OperatorChoice choice;
  JsonMembers members(entry, text, at);
  members.read("name", choice.name);
  members.read("weight", choice.weight);
  std::vector<std::string_view> names;
  for (const Operator& known : operators()) names.push_back(known.name);
  if (find_model_operator(choice.name) && !find_operator(choice.name)) {
    members.complain("name", fmt::format("one of {}; '{}' is asked of a model: \"proposer\": \"model\"",
                                         fmt::join(names, ", "), choice.name));
  } else if (!find_operator(choice.name)) {
    members.complain("name", fmt::format("one of {}", fmt::join(names, ", ")));
  }
  if (auto error = members.finish()) return tl::unexpected(*error);
  return choice;
}

void read_model_members(JsonMembers& members, std::string_view text, Entry role, OperatorChoice& choice) {
  read_name(members, role, choice);
  if (role == Entry::evolve) {
    members.read("as", choice.as);
    members.read("weight", choice.weight);
  }
  read_ingredients(members, choice);
  read_history(members, text, choice);
  read_count(members, "insights", Ingredient::insights, choice.insights, choice);
  read_count(members, "errors", Ingredient::errors, choice.errors, choice);
  const ModelOperator* known = find_model_operator(choice.name);
  if (!known) return;
  if (role == Entry::advice) {
    if (choice.name == "propose" || choice.name == "techniques") members.read("proposals", choice.proposals, 1, 20);
    return;  // it looks at the parents of whoever it advises
  }
  if (role == Entry::afterwards) return;
  read_parents(members, *known, choice);
  if (role != Entry::evolve) return;
  read_nested(members, text, "advised_by", Entry::advice, choice.advised_by);
  if (known->advised && choice.advised_by.empty()) members.complain("advised_by", "given: this operator needs advice");
  if (!known->advised && !choice.advised_by.empty() && choice.name != "apply-technique")
    members.complain("advised_by", fmt::format("left out: {} reads no advice", choice.name));
  if (choice.name == "apply-technique")
    read_nested(members, text, "followed_by", Entry::afterwards, choice.followed_by);
}

Result<OperatorChoice> read_model_operator(const json& entry, std::string_view text, std::size_t at, Entry role) {
  if (!entry.is_object()) return failure("an operator must be an object with a name", line_of(text, at));
  OperatorChoice choice;
  JsonMembers members(entry, text, at);
  read_model_members(members, text, role, choice);
  if (auto error = members.finish()) return tl::unexpected(*error);
  return choice;
}

}  // namespace hone::search
