#include "tool/command/compile_and_link.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "tool/command/compiler_line.h"
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
    if (words[compiler_].ends_with("nvcc")) return std::nullopt;
    common_.assign(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(compiler_) + 1);
    split_.link = common_;
    for (std::size_t at = compiler_ + 1; at < words.size(); ++at)
      if (begins_with_any(words[at], left_whole) || !read(at)) return std::nullopt;
    for (std::size_t index = 0; index < sources_.size(); ++index) add_compile(index);
    return std::move(split_);
  }

 private:
  // Moves on where the next word is a value.
  bool read(std::size_t& at) {
    const std::string& word = line_.arguments[at];
    const bool source = std::ranges::find(line_.sources, at) != line_.sources.end();
    if (source) sources_.push_back({split_.link.size(), common_.size(), word});
    const bool option = word.starts_with("-");
    const bool kept = !source && !is_output(word) && !is_for_linker(word) && (option || !is_linkers_input(word));
    add(word, kept);
    if (word != "-o" && !takes_next_word(word)) return true;
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

std::string linked_output(const std::vector<std::string>& arguments) {
  std::string output = "a.out";
  for (std::size_t at = find_compiler(arguments) + 1; at < arguments.size(); ++at) {
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
