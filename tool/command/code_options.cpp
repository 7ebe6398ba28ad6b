#include "tool/command/code_options.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "tool/command/nvcc_options.h"

namespace hone {
namespace {

// What follows -f or -fno- where it changes no instruction: checks, words, names, places, debug information.
constexpr std::string_view without_effect[] = {
    "access-control",
    "ansi-escape-codes",
    "canon-prefix-map",
    "caret-",
    "char8_t",
    "checking",
    "color-diagnostics",
    "compare-debug",
    "concepts",
    "constexpr-",
    "coroutines",
    "data-sections",
    "debug-",
    "directives-only",
    "dwarf",
    "eliminate-unused-debug-",
    "extended-identifiers",
    "file-prefix-map",
    "function-sections",
    "gnu-keywords",
    "gnu-unique",
    "ident",
    "implicit-constexpr",
    "implicit-inline-templates",
    "implicit-template",
    "input-charset",
    "limit-debug-info",
    "macro-backtrace-limit",
    "macro-prefix-map",
    "mem-report",
    "ms-extensions",
    "operator-names",
    "pch",
    "permissive",
    "plt",
    "preprocessed",
    "random-seed",
    "record-command-line",
    "record-gcc-switches",
    "semantic-interposition",
    "show-",
    "size-t",
    "spell-checking",
    "split-dwarf",
    "standalone-debug",
    "strict-enums-diagnostics",
    "syntax-only",
    "template-",
    "track-macro-expansion",
    "use-cxa-atexit",
    "var-tracking",
    "verbose-asm",
    "working-directory",
};

// nvcc's own that shape device code without changing what it means; those that change that are in the key by name.
constexpr std::string_view device_options[] = {
    "-Ofc", "-Xcicc", "-Xnvvm", "-Xptxas", "-extra-device-vectorization", "-jtd", "-maxrregcount", "-restrict",
};

bool starts_with_any(std::string_view word, const auto& starts) {
  return std::ranges::any_of(starts, [&](std::string_view start) { return word.starts_with(start); });
}

std::string_view without(std::string_view word, std::string_view start) {
  return word.starts_with(start) ? word.substr(start.size()) : word;
}

std::string level(std::string_view value) {
  if (value.empty()) return "-O1";
  if (value == "max" || (value[0] >= '4' && value[0] <= '9')) return "-O3";
  return "-O" + std::string(value);
}

class Options {
 public:
  // A word of GCC's or Clang's. `next`: the one behind it. True: that was its value.
  bool host_word(std::string_view word, std::string_view next) {
    if (word == "--param" || word == "-mllvm" || word == "-Xclang") {
      put(std::string(word) + " " + std::string(next.substr(0, next.find('='))),
          std::string(word) + " " + std::string(next));
      return true;
    }
    if (word.starts_with("-O"))
      set_level(word.substr(2));
    else if (word.starts_with("--param="))
      host_word("--param", word.substr(8));
    else if (word.starts_with("-f"))
      code_option(word);
    else if (word.starts_with("-m"))
      machine_option(word);
    return false;
  }

  void device_option(const NvccOption& option, std::string_view value) {
    if (std::ranges::find(device_options, option.alias) == std::end(device_options)) return;
    if (!option.takes_value) return put(std::string(option.alias), std::string(option.alias));
    for (const std::string& part : nvcc_list(value))
      if (part != "-v" && part != "--verbose" && !part.starts_with("-w") && !part.starts_with("--warn"))
        put(std::string(option.alias) + " " + part.substr(0, part.find('=')), std::string(option.alias) + " " + part);
  }

  void set_level(std::string_view value) { level_ = level(value); }

  std::string text() const {
    std::vector<std::string> words;
    for (const auto& [name, word] : last_) words.push_back(word);
    std::ranges::sort(words);
    std::string text = level_;
    for (const std::string& word : words) text += " " + word;
    return text;
  }

 private:
  void put(std::string name, std::string word) { last_[std::move(name)] = std::move(word); }

  void code_option(std::string_view word) {
    const std::string_view name = without(word.substr(2), "no-");
    if (starts_with_any(name, without_effect)) return;
    put("-f" + std::string(name.substr(0, name.find('='))), std::string(word));
  }

  // -march is of the target, which has the features; of "native" each machine makes something else.
  void machine_option(std::string_view word) {
    const std::string_view name = without(word.substr(2), "no-"),
                           value = word.substr(std::min(word.find('='), word.size()));
    constexpr std::string_view of_target[] = {"arch=", "cpu=", "32", "64", "x32"};
    if (starts_with_any(name, of_target) || value == "=native") return;
    put("-m" + std::string(name.substr(0, name.find('='))), std::string(word));
  }

  std::string level_ = "-O0";
  std::map<std::string, std::string> last_;  // by what a later one of the same name replaces
};

void read_nvcc(const std::vector<std::string>& words, Options& options) {
  for (std::size_t at = 0; at < words.size(); ++at) {
    const NvccWord read = read_nvcc_word(words[at]);
    const std::string next = at + 1 < words.size() ? words[at + 1] : "";
    if (!read.option) {
      at += options.host_word(words[at], next);
      continue;
    }
    const std::string value = read.value_follows ? next : std::string(read.value);
    at += read.value_follows;
    if (read.option->meaning == NvccMeaning::optimization)
      options.set_level(value);
    else if (read.option->meaning == NvccMeaning::host_options)
      for (const std::string& part : nvcc_list(value)) options.host_word(part, "");
    else
      options.device_option(*read.option, value);
  }
}

}  // namespace

std::string code_options(const CompileFlags& flags) {
  Options options;
  if (flags.nvcc) {
    read_nvcc(flags.unit, options);
    return options.text();
  }
  for (std::size_t at = 0; at < flags.unit.size(); ++at)
    at += options.host_word(flags.unit[at], at + 1 < flags.unit.size() ? flags.unit[at + 1] : "");
  return options.text();
}

}  // namespace hone
