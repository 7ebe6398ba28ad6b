#include "tool/command/compile_and_link.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tool/command/compiler_line.h"
#include "tool/command/nvcc_options.h"
#include "tool/command/value_options.h"

namespace hone {
namespace {

// With any of these beginnings the command does something else, or leaves files beside its output.
constexpr std::array<std::string_view, 9> left_whole = {"-c",       "-S",         "-M",        "-x",     "-save-temps",
                                                        "-gsplit-", "--coverage", "-fprofile", "-ftest-"};

bool begins_with_any(std::string_view word, const auto& beginnings) {
  return std::ranges::any_of(beginnings, [&](std::string_view beginning) { return word.starts_with(beginning); });
}

bool is_among(std::string_view word, const auto& words) {
  return std::ranges::find(words, word) != words.end();
}

// What compilers warn of beside -c, or take as a matter of the linker alone.
bool is_for_linker(std::string_view word) {
  constexpr std::array<std::string_view, 4> beginnings = {"-l", "-L", "-Wl,", "-fuse-ld="};
  constexpr std::array<std::string_view, 14> whole = {"-Xlinker",
                                                      "-T",
                                                      "-u",
                                                      "-z",
                                                      "-s",
                                                      "-rdynamic",
                                                      "-pie",
                                                      "-no-pie",
                                                      "-shared",
                                                      "-static",
                                                      "-nostdlib",
                                                      "-nostartfiles",
                                                      "-static-libgcc",
                                                      "-static-libstdc++"};
  return begins_with_any(word, beginnings) || is_among(word, whole);
}

bool is_output(std::string_view word) {
  return word.starts_with("-o");
}

// Whether the host compiler leaves files beside its output: a word of a command of nvcc's, or a list of -Xcompiler.
bool host_leaves_files(std::string_view words) {
  return std::ranges::any_of(nvcc_list(words),
                             [](const std::string& word) { return word != "-c" && begins_with_any(word, left_whole); });
}

// Whether a command of nvcc's with this option is left whole.
bool leaves_whole(const NvccOption& option) {
  constexpr std::array<std::string_view, 4> beside_output = {"--keep", "--save-temps", "--time",
                                                             "--fdevice-time-trace"};
  switch (option.meaning) {
    case NvccMeaning::compile:
    case NvccMeaning::relocatable:
    case NvccMeaning::other_product:
    case NvccMeaning::output_folder:
    case NvccMeaning::language:
    case NvccMeaning::depfile_too:
    case NvccMeaning::depfile:
    case NvccMeaning::phony:
      return true;
    default:
      return is_among(option.name, beside_output);
  }
}

bool is_for_linker(const NvccOption& option) {
  constexpr std::array<std::string_view, 6> names = {
      "--library", "--library-path", "--linker-options", "--host-linker-script", "--augment-host-linker-script",
      "--shared"};
  return option.meaning == NvccMeaning::output || is_among(option.name, names);
}

// Objects and libraries.
bool is_linkers_input(std::string_view word) {
  constexpr std::array<std::string_view, 5> suffixes = {".o", ".a", ".so", ".lo", ".obj"};
  return std::ranges::any_of(suffixes, [&](auto suffix) { return word.ends_with(suffix); }) ||
         word.find(".so.") != word.npos;
}

class Splitter {
 public:
  Splitter(SourcesLine line, std::string folder)
      : line_(std::move(line)), folder_(std::move(folder)), compiler_(find_compiler(line_.arguments)) {}

  std::optional<CompileAndLink> split() {
    const std::vector<std::string>& words = line_.arguments;
    const bool nvcc = is_nvcc(words[compiler_]);
    common_.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(compiler_) + 1);
    split_.link = common_;
    for (std::size_t at = compiler_ + 1; at < words.size(); ++at)
      if (!(nvcc ? read_nvcc(at) : read(at))) return std::nullopt;
    for (std::size_t index = 0; index < sources_.size(); ++index) add_compile(index);
    return std::move(split_);
  }

 private:
  // Both move on where the next word is a value. false: the command is to be left whole.
  bool read(std::size_t& at) {
    const std::string& word = line_.arguments[at];
    if (begins_with_any(word, left_whole)) return false;
    const bool source = take_source(at);
    const bool option = word.starts_with("-");
    const bool kept = !source && !is_output(word) && !is_for_linker(word) && (option || !is_linkers_input(word));
    add(word, kept);
    return (word != "-o" && !takes_next_word(word)) || add_value(at, kept);
  }

  // A C source stays in the link, which nvcc then compiles it for.
  bool read_nvcc(std::size_t& at) {
    const std::string& word = line_.arguments[at];
    const NvccWord known = read_nvcc_word(word);
    if (known.option ? leaves_whole(*known.option) : host_leaves_files(word)) return false;
    if (known.option && known.option->meaning == NvccMeaning::host_options) {
      const bool next = known.value_follows && at + 1 < line_.arguments.size();
      if (host_leaves_files(next ? std::string_view(line_.arguments[at + 1]) : known.value)) return false;
    }
    const bool option = word.starts_with("-");
    const bool kept = !take_source(at) && option && !(known.option && is_for_linker(*known.option));
    add(word, kept);
    return !known.value_follows || add_value(at, kept);
  }

  bool take_source(std::size_t at) {
    const bool source = std::ranges::find(line_.sources, at) != line_.sources.end();
    if (source) sources_.push_back({split_.link.size(), common_.size(), line_.arguments[at]});
    return source;
  }

  bool add_value(std::size_t& at, bool kept) {
    if (++at == line_.arguments.size()) return false;  // the compiler's to say
    add(line_.arguments[at], kept);
    return true;
  }

  void add(const std::string& word, bool kept) {
    split_.link.push_back(word);
    if (kept) common_.push_back(word);
  }

  void add_compile(std::size_t index) {
    const Source& source = sources_[index];
    std::string_view name = source.path;
    name = name.substr(name.find_last_of('/') + 1);
    const std::string object = folder_ + "/" + std::to_string(index) + "-" + std::string(name) + ".o";
    std::vector<std::string> compile = common_;
    compile.insert(compile.begin() + static_cast<std::ptrdiff_t>(source.in_common), source.path);
    compile.insert(compile.end(), {"-c", "-o", object});
    split_.compiles.push_back(std::move(compile));
    split_.objects.push_back(object);
    split_.link[source.in_link] = object;
  }

  struct Source {
    std::size_t in_link = 0, in_common = 0;  // its places
    std::string path;
  };
  const SourcesLine line_;
  const std::string folder_;
  const std::size_t compiler_;
  std::vector<std::string> common_;
  std::vector<Source> sources_;
  CompileAndLink split_;
};

}  // namespace

std::optional<CompileAndLink> split_compile_and_link(const std::vector<std::string>& arguments,
                                                     const std::string& folder) {
  std::optional<SourcesLine> line = read_sources_line(arguments);
  if (!line || line->apart) return std::nullopt;
  return Splitter(std::move(*line), folder).split();
}

namespace {

std::string nvcc_linked_output(const std::vector<std::string>& arguments, std::size_t compiler) {
  std::string output = "a.out";
  for (std::size_t at = compiler + 1; at < arguments.size(); ++at) {
    const NvccWord known = read_nvcc_word(arguments[at]);
    if (known.value_follows && ++at == arguments.size()) break;
    if (known.option && known.option->meaning == NvccMeaning::output)
      output = known.value_follows ? arguments[at] : std::string(known.value);
  }
  return output;
}

}  // namespace

std::string linked_output(const std::vector<std::string>& command) {
  const std::optional<SourcesLine> line = read_sources_line(command);  // which has read response files
  const std::vector<std::string>& arguments = line ? line->arguments : command;
  const std::size_t compiler = find_compiler(arguments);
  if (compiler < arguments.size() && is_nvcc(arguments[compiler])) return nvcc_linked_output(arguments, compiler);
  std::string output = "a.out";
  for (std::size_t at = compiler + 1; at < arguments.size(); ++at) {
    const std::string& word = arguments[at];
    if (word == "-o" && at + 1 < arguments.size())
      output = arguments[++at];
    else if (is_output(word))
      output = word.substr(2);
    else if (takes_next_word(word))
      ++at;
  }
  return output;
}

}  // namespace hone
