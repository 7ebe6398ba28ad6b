// What stands behind the compiler and the project's own flags in the commands that compile a unit. Pure.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tool/compile/toolchain/toolchain.h"
#include "tool/compile/unit/frozen_unit.h"

namespace hone::compile {

void append(std::vector<std::string>& words, const std::vector<std::string>& more);

// Where the unit's text stands in a compile's folder, and what of it stands behind its preamble. Objects name both by
// the same word.
std::string unit_path(const FrozenUnit& unit);
std::string path_behind_preamble(const FrozenUnit& unit);

// `flags` as the next two have them: with what decides the code of a shared object.
std::vector<std::string> for_shared(std::vector<std::string> flags);

// Into a shared object, with `more` flags: quiet but for errors, and of these not many.
std::vector<std::string> words_for_object(const Toolchain& toolchain, const FrozenUnit& unit,
                                          const std::vector<std::string>& more, const std::string& object);

// Into an object that is linked afterwards, and that: what the linker takes away is still to be seen in between.
std::vector<std::string> words_for_relocatable(const Toolchain& toolchain, const FrozenUnit& unit,
                                               const std::vector<std::string>& more, const std::string& relocatable);
std::vector<std::string> words_for_link(const Toolchain& toolchain, const std::vector<std::string>& more,
                                        const std::string& relocatable, const std::string& object);

// nvcc's words for a whole file as the project compiles it, which nobody will link.
std::vector<std::string> words_for_file(const Toolchain& toolchain, const FrozenUnit& unit, const std::string& object);

// nvcc's words for the images for the device alone, into unit.fatbin.
std::vector<std::string> words_for_device_code(const Toolchain& toolchain, const FrozenUnit& unit,
                                               const std::vector<std::string>& more);

// Clang's words for LLVM's bitcode, with no pass run, and those of them that decide what a text becomes.
std::vector<std::string> flags_for_bitcode();
std::vector<std::string> words_for_bitcode(const FrozenUnit& unit, const std::string& object);

// Into unit.s, or of CUDA into unit.fatbin, with the compiler's remarks on what it did.
std::vector<std::string> words_for_explanation(const Toolchain& toolchain, const FrozenUnit& unit);

// Into a precompiled header, in the folder of the preamble's text, for compiles with such flags. Not of nvcc.
inline constexpr const char* preamble_source = "preamble.h";
std::vector<std::string> words_for_preamble(const Toolchain& toolchain, const FrozenUnit& unit,
                                            const std::vector<std::string>& flags);
std::string preamble_path(const Toolchain& toolchain, const std::filesystem::path& folder);

// The words of a compile of the whole text, for one of what stands behind its preamble.
std::vector<std::string> words_behind_preamble(const Toolchain& toolchain, const FrozenUnit& unit,
                                               const std::vector<std::string>& words, const std::string& preamble);

// What links beside the unit: the names of files in a compile's folder, and the word that drops what is not used.
std::vector<std::string> called_words(const FrozenUnit& unit, std::vector<std::string> CalledObjects::*objects);

}  // namespace hone::compile
