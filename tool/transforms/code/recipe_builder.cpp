#include "tool/transforms/code/recipe_builder.h"

namespace hone::frontend {
namespace {

// Where a transformation could apply, among the loops of the text as it stands.
class Places {
 public:
  Places(const KernelContext& context, const Transformation& transformation)
      : nest_(context), statements_(transformation.places(context)) {}

  // Null: the site is none.
  const Loop* counted_loop(unsigned site) {
    const clang::Stmt* statement = site < statements_.size() ? statements_[site] : nullptr;
    const Loop* loop = statement ? nest_.of(statement) : nullptr;
    return loop && loop->counted ? loop : nullptr;
  }

 private:
  LoopNest nest_;
  std::vector<const clang::Stmt*> statements_;
};

}  // namespace

bool RecipeBuilder::once(const std::string& transform, std::vector<int> arguments, const Aim& aim) {
  return apply(transform, arguments, aim, 0).has_value();
}

bool RecipeBuilder::everywhere(const std::string& transform, std::vector<int> arguments, const Aim& aim) {
  constexpr unsigned most = 12;  // a genome that long is no start but an end
  const Transformation* transformation = find_transformation(transform);
  bool any = false;
  unsigned first = 0;
  for (unsigned count = 0; transformation && count < most && !is_over(); ++count) {
    unsigned before = transformation->sites(state());
    auto site = apply(transform, arguments, aim, first);
    if (!site) break;
    any = true;
    // The other places stand as they did, so the difference tells how many the transformed one has become.
    unsigned after = transformation->sites(state());
    first = *site + (after + 1 > before ? after + 1 - before : 0);
  }
  return any;
}

unsigned RecipeBuilder::sites_in_front(const Transformation& transformation) {
  const std::vector<KernelContext>& contexts = (*state_of_)(genome_);
  unsigned sites = 0;
  for (std::size_t kernel = 0; kernel < kernel_; ++kernel) sites += transformation.sites(contexts[kernel]);
  return sites;
}

std::optional<unsigned> RecipeBuilder::apply(const std::string& transform, const std::vector<int>& arguments,
                                             const Aim& aim, unsigned first) {
  const Transformation* transformation = find_transformation(transform);
  if (!transformation || is_over()) return std::nullopt;
  const unsigned in_front = sites_in_front(*transformation), sites = transformation->sites(state());
  std::optional<Places> places;
  for (unsigned site = first; site < sites && !is_over(); ++site) {
    if (aim) {
      if (!places) places.emplace(state(), *transformation);
      if (!aim(state(), places->counted_loop(site))) continue;
    }
    Genome longer = genome_;
    longer.push_back({transform, in_front + site, arguments});
    places.reset();  // the text of this genome may have to be parsed again
    (*state_of_)(longer);
    if (longer.size() <= genome_.size()) continue;
    genome_ = std::move(longer);
    return site;
  }
  return std::nullopt;
}

}  // namespace hone::frontend
