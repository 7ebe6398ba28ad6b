// From variants to the text that is compiled in place of a user's file. Pure: never runs a compiler.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "tool/base/result.h"
#include "tool/frontend/find/kernel_finder.h"

namespace hone::frontend {

// Lines in front of a byte of a file.
struct Insertion {
  std::size_t at = 0;
  std::string lines;
};

// Text that ends in a new line, if there is any.
std::string with_newline(std::string text);

// The main file's text with each named kernel (by request key) replaced by its variant. `display` names the variant in
// #line ("hone/cas/<digest>"). Everything else keeps its line numbers and file name.
struct Replacement {
  Placement placement;
  std::string variant;
  std::string display;
  LaunchSites launches{};           // to be rewritten: the variant has what starts them
  std::vector<Insertion> beside{};  // not empty: what goes in beside the original, which stays
};
std::string rewrite(const std::string& original, const std::string& original_name,
                    std::vector<Replacement> replacements);
// The same, each line with the number and the file name that the user knows it by.
std::string rewrite(const MainText& original, std::vector<Replacement> replacements);

// The variant as it goes into this file in the kernel's place: with what starts it, where it brings launches of its
// own. Error: it does, and the file's launches cannot be found or rewritten (any more).
Result<Replacement> replacement(const FoundKernel& kernel, std::string variant, std::string display);

// Lines around text in which no compiler is to warn.
struct Silence {
  std::string begin, end;
};
// The variant of a kernel with fixed scalars, beside the original, which runs where they have other values. Error: why
// it cannot be put there so.
Result<Replacement> guarded_replacement(const FoundKernel& kernel, const std::string& variant,
                                        const std::string& display, const Silence& silence);
// Includes and definitions that stand in the kernel's place then; `original` is the kernel's own definition.
Result<std::string> guarded_source(const FoundKernel& kernel, const std::string& variant, const std::string& original);

// The original with what records its calls. The kernel can be recorded.
Replacement recorded(const FoundKernel& kernel, const Silence& silence);

// A variant, and the family of architectures that it was measured on (command/cuda_architecture.h).
struct FamilyVariant {
  unsigned family = 0;
  std::string variant;
  std::string display;
};
// The variants of a kernel whose file is compiled for several families of architectures. Each variant runs on its own
// family, the original on all others. Error: why the kernel's variants cannot be put there so.
Result<Replacement> replacement_by_family(const FoundKernel& kernel, const std::vector<FamilyVariant>& variants,
                                          const Silence& silence);

}  // namespace hone::frontend
