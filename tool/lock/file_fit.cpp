#include "tool/lock/file_fit.h"

#include <algorithm>

#include "cache/lock_file.h"
#include "tool/command/cuda_architecture.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/whole/whole_file_check.h"
#include "tool/lock/ledger.h"
#include "tool/lock/locked_variants.h"
#include "tool/lock/machine_rule.h"
#include "tool/lock/measured_entries.h"
#include "tool/project/kernels.h"
#include "tool/project/parse_watch.h"

namespace hone::lock {
namespace {

// The variants that a build links for a kernel; none where something of it is in no cache: such a build has the
// original.
std::vector<frontend::FamilyVariant> known_variants(const KernelSpec& spec, std::vector<MeasuredEntry> measured,
                                                    const cache::Store& store, MachineRule& rule) {
  (void)rule.leave_out(measured);
  return locked_variants(spec, measured, store).value_or(std::vector<frontend::FamilyVariant>{});
}

Result<frontend::FoundKernels> kernels_of(const project::ProjectUnit& unit, const frontend::Options& options) {
  frontend::Options quick = project::options_for(unit, options);
  quick.units = false;
  return project::watched(unit.command.file, [&] { return frontend::find_kernels(unit.command, quick); });
}

}  // namespace

std::string misfit(const project::ProjectUnit& unit, const KernelSpec& spec, const std::string& variant,
                   const frontend::Options& options) {
  auto found = kernels_of(unit, options);
  if (!found) return found.error().message();
  const cache::LockFile lock = cache::LockFile::read(unit.settings.lock).value_or(cache::LockFile{});
  const cache::Store store = reading_store(unit.settings.lock, [](const std::string&) {});
  MachineRule rule(unit);
  frontend::FoundKernel* own = nullptr;
  std::vector<frontend::Replacement> others;
  for (frontend::FoundKernel& kernel : found->kernels) {
    if (kernel.spec.key == spec.key) {
      own = &kernel;
      continue;
    }
    const auto variants = known_variants(kernel.spec, measured_entries(lock, kernel.spec), store, rule);
    if (variants.empty()) continue;
    if (auto replacement = placed(kernel, variants, spec.cuda)) others.push_back(std::move(*replacement));
  }
  if (!own) return "its file has changed meanwhile: the kernel is not there any more";
  if (is_for_several_families(own->spec)) {
    others.clear();  // by family they stand apart from each other (decision 10)
    if (const auto placed = frontend::replacement_by_family(*own, {{0, variant, "variant"}}, {}); !placed)
      return placed.error().message();
  }
  own->spec = spec;  // with the unit
  return frontend::object_in_file(*own, variant, found->file.text, others, found->file.command, options);
}

std::optional<Verdict> refused_in_file(const project::ProjectUnit& unit, const KernelSpec& spec,
                                       const std::string& variant, const frontend::Options& options) {
  std::string why = misfit(unit, spec, variant, options);
  if (why.empty()) return std::nullopt;
  return refusal(Stage::gate, std::move(why), DiagnosticCode::candidate_misfit);
}

Result<std::string> applied_text(const project::ProjectUnit& unit, const KernelSpec& spec, const std::string& variant,
                                 const std::string& architecture, const frontend::Options& options) {
  HONE_TRY(const auto found, kernels_of(unit, options));
  const cache::LockFile lock = cache::LockFile::read(unit.settings.lock).value_or(cache::LockFile{});
  const cache::Store store = reading_store(unit.settings.lock, [](const std::string&) {});
  MachineRule rule(unit);
  std::vector<frontend::Replacement> replacements;
  for (const frontend::FoundKernel& kernel : found.kernels) {
    std::vector<MeasuredEntry> measured = measured_entries(lock, kernel.spec);
    if (kernel.spec.key != spec.key) {
      const auto variants = known_variants(kernel.spec, measured, store, rule);
      if (variants.empty()) continue;
      if (auto replacement = placed(kernel, variants, spec.cuda)) replacements.push_back(std::move(*replacement));
      continue;
    }
    const unsigned family = is_for_several_families(spec) ? code_family(spec.target, architecture) : 0;
    std::erase_if(measured, [&](const MeasuredEntry& one) { return one.family == family; });
    auto variants = known_variants(kernel.spec, measured, store, rule);
    variants.push_back({family, variant, "candidate"});
    std::ranges::sort(variants, {}, &frontend::FamilyVariant::family);
    HONE_TRY(frontend::Replacement own, placed(kernel, variants, spec.cuda));
    replacements.push_back(std::move(own));
  }
  return frontend::rewrite(found.file, std::move(replacements));
}

}  // namespace hone::lock
