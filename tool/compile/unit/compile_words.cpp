#include "tool/compile/unit/compile_words.h"

#include <algorithm>

namespace hone::compile {
namespace {

// Line numbers are for the device's sanitizers and profilers. With them no two compiles give the same object: they name
// the folder.
std::vector<std::string> words_for_nvcc(const Toolchain& toolchain, const FrozenUnit& unit,
                                        const std::vector<std::string>& more, const std::string& object) {
  std::vector<std::string> words;
  for (const HeaderFlag& flag : unit.headers.flags) words.push_back(flag.word(flag.path));
  append(words, more);
  append(words, {"-w", "-lineinfo", "-ccbin", toolchain.host, "-x", "cu", unit_path(unit), "-o", object});
  return words;
}

std::string precompiled_name(const Toolchain& toolchain) {
  return toolchain.clang ? "preamble.pch" : std::string(preamble_source) + ".gch";
}

}  // namespace

void append(std::vector<std::string>& words, const std::vector<std::string>& more) {
  words.insert(words.end(), more.begin(), more.end());
}

std::string unit_path(const FrozenUnit& unit) {
  if (!unit.headers.unit.empty()) return unit.headers.unit;
  return unit.language == "c" ? "unit.c" : "unit.cpp";
}

std::string path_behind_preamble(const FrozenUnit& unit) {
  return "behind/" + unit_path(unit);
}

std::vector<std::string> for_shared(std::vector<std::string> flags) {
  flags.emplace_back("-fPIC");
  return flags;
}

std::vector<std::string> words_for_object(const Toolchain& toolchain, const FrozenUnit& unit,
                                          const std::vector<std::string>& more, const std::string& object) {
  std::vector<std::string> words = more;
  if (toolchain.nvcc) {
    // Functions that nobody calls are left out with what they call: headers may define functions that need libraries.
    append(words, {"-Xcompiler=-fPIC,-fvisibility=hidden,-ffunction-sections,-fdata-sections", "-Xlinker=--gc-sections",
                   "-shared"});
    return words_for_nvcc(toolchain, unit, words, object);
  }
  append(words, {"-w", "-fdiagnostics-color=never", toolchain.clang ? "-ferror-limit=8" : "-fmax-errors=8"});
  append(words, {"-fPIC", "-shared", "-pipe"});
  append(words, toolchain.linker);
  append(words, {"-x", unit.language, unit_path(unit), "-o", object});
  append(words, toolchain.libraries);
  return words;
}

std::vector<std::string> words_for_relocatable(const Toolchain& toolchain, const FrozenUnit& unit,
                                               const std::vector<std::string>& more, const std::string& relocatable) {
  std::vector<std::string> words = more;
  append(words, {"-w", "-fdiagnostics-color=never", toolchain.clang ? "-ferror-limit=8" : "-fmax-errors=8"});
  append(words, {"-fPIC", "-c", "-pipe", "-x", unit.language, unit_path(unit), "-o", relocatable});
  return words;
}

std::vector<std::string> words_for_link(const Toolchain& toolchain, const std::vector<std::string>& more,
                                        const std::string& relocatable, const std::string& object) {
  std::vector<std::string> words = more;
  append(words, {"-w", "-fdiagnostics-color=never", "-fPIC", "-shared"});
  append(words, toolchain.linker);
  append(words, {relocatable, "-o", object});
  append(words, toolchain.libraries);
  return words;
}

std::vector<std::string> words_for_file(const Toolchain& toolchain, const FrozenUnit& unit, const std::string& object) {
  return words_for_nvcc(toolchain, unit, {"-c"}, object);
}

std::vector<std::string> words_for_device_code(const Toolchain& toolchain, const FrozenUnit& unit,
                                               const std::vector<std::string>& more) {
  std::vector<std::string> words = more;
  append(words, {"--no-compress", "-fatbin"});
  return words_for_nvcc(toolchain, unit, words, "unit.fatbin");
}

std::vector<std::string> called_words(const FrozenUnit& unit, std::vector<std::string> CalledObjects::*objects) {
  std::vector<std::string> words;
  if (!unit.called) return words;
  const char* kind = objects == &CalledObjects::plain       ? "plain"
                     : objects == &CalledObjects::sanitized ? "sanitized"
                                                            : "race_checked";
  for (std::size_t i = 0; i < ((*unit.called).*objects).size(); ++i)
    words.push_back("called-" + std::to_string(i) + "." + kind + ".o");
  if (!words.empty()) words.push_back("-Wl,--gc-sections");
  return words;
}

// Types and lifetimes as at -O1, but no pass run. It has one thread: no regions of OpenMP.
std::vector<std::string> flags_for_bitcode() {
  return {"-O1", "-Xclang", "-disable-llvm-passes", "-U_FORTIFY_SOURCE", "-fno-openmp", "-fno-stack-protector"};
}

std::vector<std::string> words_for_bitcode(const FrozenUnit& unit, const std::string& object) {
  std::vector<std::string> words = flags_for_bitcode();
  append(words,
         {"-w", "-fdiagnostics-color=never", "-emit-llvm", "-c", "-x", unit.language, unit_path(unit), "-o", object});
  return words;
}

std::vector<std::string> words_for_preamble(const Toolchain& toolchain, const FrozenUnit& unit,
                                            const std::vector<std::string>& flags) {
  std::vector<std::string> words = flags;
  append(words, {"-w", "-x", unit.language + "-header", preamble_source, "-o", precompiled_name(toolchain)});
  return words;
}

// g++ is told the name of the text, and looks for what was made of it beside that.
std::string preamble_path(const Toolchain& toolchain, const std::filesystem::path& folder) {
  return folder / (toolchain.clang ? precompiled_name(toolchain) : preamble_source);
}

std::vector<std::string> words_behind_preamble(const Toolchain& toolchain, const FrozenUnit& unit,
                                               const std::vector<std::string>& words, const std::string& preamble) {
  std::vector<std::string> behind = {toolchain.clang ? "-include-pch" : "-include", preamble};
  append(behind, words);
  std::ranges::replace(behind, unit_path(unit), path_behind_preamble(unit));
  return behind;
}

std::vector<std::string> words_for_explanation(const Toolchain& toolchain, const FrozenUnit& unit) {
  if (toolchain.nvcc) return words_for_device_code(toolchain, unit, {"-Xptxas=-v"});
  std::vector<std::string> words;
  if (toolchain.clang)
    words = {"-Rpass=loop-vectorize|slp-vectorizer", "-Rpass-missed=loop-vectorize|slp-vectorizer",
             "-Rpass-analysis=loop-vectorize", "-fno-caret-diagnostics", "-gline-tables-only"};
  else
    words = {"-fopt-info-vec-optimized-missed", "-g1"};
  append(words,
         {"-w", "-fdiagnostics-color=never", "-fPIC", "-S", "-x", unit.language, unit_path(unit), "-o", "unit.s"});
  return words;
}

}  // namespace hone::compile
