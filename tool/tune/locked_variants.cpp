#include "tool/tune/locked_variants.h"

#include <optional>
#include <string>
#include <utility>

#include "tool/tune/shadow_text.h"

namespace hone::tune {

Result<std::vector<frontend::FamilyVariant>> locked_variants(const KernelSpec& spec,
                                                             const std::vector<MeasuredEntry>& measured,
                                                             const cache::Store& store) {
  std::vector<frontend::FamilyVariant> variants;
  for (const auto& [family, entry] : measured) {
    if (!entry->variant) continue;
    std::optional<std::string> text = store.blob(*entry->variant);
    if (!text)
      return failure("the variant of '" + spec.name + "' that the lock file names (" + entry->variant->substr(0, 12) +
                     "…) is in no cache");
    variants.push_back({family, std::move(*text), "hone/cas/" + *entry->variant});
  }
  return variants;
}

Result<frontend::Replacement> placed(const frontend::FoundKernel& kernel,
                                     const std::vector<frontend::FamilyVariant>& variants, bool nvcc) {
  if (is_for_several_families(kernel.spec)) return frontend::replacement_by_family(kernel, variants, silence(nvcc));
  const frontend::FamilyVariant& only = variants.front();
  HONE_TRY(frontend::Replacement replacement, frontend::replacement(kernel, only.variant, only.display));
  replacement.variant = without_warnings(replacement.variant, only.display, nvcc);
  return replacement;
}

}  // namespace hone::tune
