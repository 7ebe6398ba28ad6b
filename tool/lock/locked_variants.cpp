#include "tool/lock/locked_variants.h"

#include <optional>
#include <string>
#include <utility>

#include "cache/bound_source.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/place/variant_functions.h"
#include "tool/lock/shadow_text.h"

namespace hone::lock {

Result<std::string> variant_text(const KernelSpec& spec, const cache::Digest& variant, const cache::Store& store) {
  const std::string named =
      "the variant of '" + spec.name + "' that the lock file names (" + variant.substr(0, 12) + "…) ";
  std::optional<std::string> blob = store.blob(variant);
  if (!blob) return failure(named + "is in no cache");
  cache::BoundSource bound = cache::read_bound(*blob);
  if (!bound.key.empty() && bound.key != spec.key)
    return failure(named + "was judged for another kernel, or for another state of this one (request key " +
                   bound.key.substr(0, 12) + "…)");
  if (!frontend::defines_kernel(spec, bound.source)) return failure(named + "does not define that function");
  return std::move(bound.source);
}

Result<std::vector<frontend::FamilyVariant>> locked_variants(const KernelSpec& spec,
                                                             const std::vector<MeasuredEntry>& measured,
                                                             const cache::Store& store) {
  std::vector<frontend::FamilyVariant> variants;
  for (const auto& [family, entry] : measured) {
    if (!entry->variant) continue;
    HONE_TRY(std::string text, variant_text(spec, *entry->variant, store));
    variants.push_back({family, std::move(text), "hone/cas/" + *entry->variant});
  }
  return variants;
}

Result<frontend::Replacement> placed(const frontend::FoundKernel& kernel,
                                     const std::vector<frontend::FamilyVariant>& variants, bool nvcc) {
  if (is_for_several_families(kernel.spec))
    return frontend::replacement_by_family(kernel, variants, silence(kernel.spec, nvcc));
  const frontend::FamilyVariant& only = variants.front();
  if (!kernel.guard.definition.empty())
    return frontend::guarded_replacement(kernel, only.variant, only.display, silence(kernel.spec, nvcc));
  HONE_TRY(frontend::Replacement replacement, frontend::replacement(kernel, only.variant, only.display));
  replacement.variant = without_warnings(kernel.spec, replacement.variant, only.display, nvcc);
  return replacement;
}

}  // namespace hone::lock
