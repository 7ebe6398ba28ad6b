// What the object is to say of its kernels (linked/linked_kernel.h). Pure.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/linked/linked_kernel.h"

namespace hone::apply {

// The original. No path of this machine is in it: a source outside of the lock file's folder is named without folders.
linked::LinkedKernel linked_original(const KernelSpec& spec, const std::filesystem::path& lock, linked::Reason reason);

// A variant for each family that has one.
std::vector<linked::LinkedKernel> linked_variants(const KernelSpec& spec, const std::filesystem::path& lock,
                                                  const std::vector<frontend::FamilyVariant>& variants);

// The same kernels, each once, without variants.
std::vector<linked::LinkedKernel> without_variants(std::vector<linked::LinkedKernel> kernels, linked::Reason reason);

// The text with the notes behind it; its lines keep their numbers.
std::string with_notes(std::string text, const std::vector<linked::LinkedKernel>& kernels);

}  // namespace hone::apply
