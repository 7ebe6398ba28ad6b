#include "tool/search/genome.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace hone::search {

std::string describe(const Genome& genome) {
  if (genome.empty()) return "original";
  std::string text;
  for (const Gene& gene : genome) {
    if (!text.empty()) text += '+';
    text += gene.transform;
    if (gene.site) text += fmt::format("@{}", gene.site);
    if (!gene.arguments.empty()) text += fmt::format("({})", fmt::join(gene.arguments, ","));
  }
  return text;
}

}  // namespace hone::search
