#include "tool/tune/file_fit.h"

#include "cache/lock_file.h"
#include "tool/os/files.h"
#include "tool/tune/ledger.h"
#include "tool/tune/measured_entries.h"

namespace hone::tune {

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
    auto other = store.blob(*entry->variant);
    if (!other) continue;
    if (auto replacement = frontend::replacement(kernel, std::move(*other), "hone/cas/" + *entry->variant))
      replacements.push_back(std::move(*replacement));
  }
  return frontend::first_error(unit.command, frontend::rewrite(*text, name, std::move(replacements)), options);
}

}  // namespace hone::tune
