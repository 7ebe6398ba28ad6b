#include "tool/search/archive.h"

#include <algorithm>
#include <cassert>

namespace hone::search {
namespace {

struct Shape {
  const char* name;
  std::unique_ptr<Archive> (*make)(const Strategy&);
};

constexpr Shape shapes[] = {
    {"single", make_islands},   {"elite", make_islands}, {"islands", make_islands}, {"map-elites", make_islands},
    {"clusters", make_islands}, {"tree", make_tree},     {"rounds", make_rounds},   {"chain", make_chains},
};

}  // namespace

std::vector<std::string> archive_names() {
  std::vector<std::string> names;
  for (const Shape& shape : shapes) names.emplace_back(shape.name);
  return names;
}

std::unique_ptr<Archive> make_archive(const Strategy& strategy) {
  for (const Shape& shape : shapes)
    if (strategy.population == shape.name) return shape.make(strategy);
  assert(false && "the strategy was parsed");
  return nullptr;
}

void insert_ranked(std::vector<Population::Member>& members, Population::Member member) {
  const auto at = std::find_if(members.begin(), members.end(),
                               [&](const Population::Member& other) { return other.fitness < member.fitness; });
  members.insert(at, member);
}

}  // namespace hone::search
