#include "tool/tune/file_fit.h"

#include <algorithm>

#include "cache/lock_file.h"
#include "tool/base/cuda_architecture.h"
#include "tool/os/files.h"
#include "tool/tune/ledger.h"
#include "tool/tune/locked_variants.h"
#include "tool/tune/measured_entries.h"

namespace hone::tune {
namespace {

// What the lock file names for a kernel; where something of it is in no cache, nothing: such a build has the original.
std::vector<frontend::FamilyVariant> known_variants(const KernelSpec& spec, const std::vector<MeasuredEntry>& measured,
                                                    const cache::Store& store) {
  return locked_variants(spec, measured, store).value_or(std::vector<frontend::FamilyVariant>{});
}

}  // namespace

std::string misfit(const ProjectUnit& unit, const KernelSpec& spec, const std::string& variant,
                   const frontend::Options& options) {
  frontend::Options quick = options;
  quick.units = false;
  const auto found = frontend::find_kernels(unit.command, quick);
  const auto text = os::read_file(spec.file);
  if (!found || !text) return "";
  const auto lock = cache::LockFile::read(unit.settings.lock);
  const cache::Store store = reading_store(unit.settings.lock, [](const std::string&) {});
  std::vector<frontend::Replacement> replacements;
  std::string name = spec.file;
  for (const frontend::FoundKernel& kernel : found->kernels) {
    if (kernel.spec.key == spec.key) {
      name = kernel.placement.file;
      if (is_for_several_families(kernel.spec))
        if (const auto placed = frontend::replacement_by_family(kernel, {{0, variant, "variant"}}, {}); !placed)
          return placed.error().message();
      auto replacement = frontend::replacement(kernel, variant, "variant");
      if (!replacement) return replacement.error().message();
      replacements.push_back(std::move(*replacement));
      continue;
    }
    const cache::LockEntry* entry = lock ? entry_for(*lock, kernel.spec, "") : nullptr;
    if (!entry || !entry->variant) continue;
    auto other = variant_text(kernel.spec, *entry->variant, store);
    if (!other) continue;
    if (auto replacement = frontend::replacement(kernel, std::move(*other), "hone/cas/" + *entry->variant))
      replacements.push_back(std::move(*replacement));
  }
  return frontend::first_error(unit.command, frontend::rewrite(*text, name, std::move(replacements)), options);
}

Result<std::string> applied_text(const ProjectUnit& unit, const KernelSpec& spec, const std::string& variant,
                                 const std::string& architecture, const frontend::Options& options) {
  frontend::Options quick = options;
  quick.units = false;
  HONE_TRY(const auto found, frontend::find_kernels(unit.command, quick));
  HONE_TRY(const std::string text, os::read_file(spec.file));
  const cache::LockFile lock = cache::LockFile::read(unit.settings.lock).value_or(cache::LockFile{});
  const cache::Store store = reading_store(unit.settings.lock, [](const std::string&) {});
  std::vector<frontend::Replacement> replacements;
  std::string name = spec.file;
  for (const frontend::FoundKernel& kernel : found.kernels) {
    name = kernel.placement.file;
    std::vector<MeasuredEntry> measured = measured_entries(lock, kernel.spec);
    if (kernel.spec.key != spec.key) {
      const auto variants = known_variants(kernel.spec, measured, store);
      if (variants.empty()) continue;
      if (auto replacement = placed(kernel, variants, spec.cuda)) replacements.push_back(std::move(*replacement));
      continue;
    }
    const unsigned family = is_for_several_families(spec) ? code_family(spec.target, architecture) : 0;
    std::erase_if(measured, [&](const MeasuredEntry& one) { return one.family == family; });
    auto variants = known_variants(kernel.spec, measured, store);
    variants.push_back({family, variant, "candidate"});
    std::ranges::sort(variants, {}, &frontend::FamilyVariant::family);
    HONE_TRY(frontend::Replacement own, placed(kernel, variants, spec.cuda));
    replacements.push_back(std::move(own));
  }
  return frontend::rewrite(text, name, std::move(replacements));
}

}  // namespace hone::tune
