#include "tool/apply/linked_notes.h"

#include <algorithm>

#include "tool/linked/note_source.h"
#include "tool/project/project.h"

namespace hone::apply {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kStore = "hone/cas/";  // a variant's display begins with it

std::string family_name(unsigned family) {
  return family == 0 ? "" : "sm_" + std::to_string(family) + "x";
}

}  // namespace

linked::LinkedKernel linked_original(const KernelSpec& spec, const fs::path& lock, linked::Reason reason) {
  std::string file = project::file_in_lock(spec.file, lock);
  if (file.empty() || file.starts_with("../")) file = fs::path(spec.file).filename().string();
  return {spec.name, std::move(file), spec.key, "", linked::to_string(reason), ""};
}

std::vector<linked::LinkedKernel> linked_variants(const KernelSpec& spec, const fs::path& lock,
                                                  const std::vector<frontend::FamilyVariant>& variants) {
  std::vector<linked::LinkedKernel> kernels;
  for (const frontend::FamilyVariant& variant : variants) {
    linked::LinkedKernel kernel = linked_original(spec, lock, linked::Reason::none);
    kernel.variant = variant.display.substr(kStore.size());
    kernel.built_for = family_name(variant.family);
    kernels.push_back(std::move(kernel));
  }
  return kernels;
}

std::vector<linked::LinkedKernel> without_variants(std::vector<linked::LinkedKernel> kernels, linked::Reason reason) {
  for (linked::LinkedKernel& kernel : kernels) {
    if (kernel.variant.empty()) continue;
    kernel.variant.clear();
    kernel.built_for.clear();
    kernel.reason = linked::to_string(reason);
  }
  const auto same = std::unique(kernels.begin(), kernels.end());  // the variants of one kernel stand together
  kernels.erase(same, kernels.end());
  return kernels;
}

// An empty line in front: the text may end in a backslash or within a line.
std::string with_notes(std::string text, const std::vector<linked::LinkedKernel>& kernels) {
  const std::string notes = linked::note_source(kernels);
  return notes.empty() ? text : std::move(text) + "\n\n" + notes;
}

}  // namespace hone::apply
