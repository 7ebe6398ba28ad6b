#include "tool/command/compiler_line.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include "tool/command/nvcc_options.h"
#include "tool/command/value_options.h"

namespace hone {
namespace {

template <std::size_t N>
bool among(std::string_view word, const std::array<std::string_view, N>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

constexpr std::array<std::string_view, 15> kSourceSuffixes = {"cpp", "cc",   "cxx", "cp",  "CPP",  "c++",  "C",  "c",
                                                              "cu",  "cppm", "ixx", "ccm", "cxxm", "c++m", "mpp"};
constexpr std::array<std::string_view, 5> kSourceLanguages = {"c", "c++", "cuda", "cu", "c++-module"};

// With any of these the compiler makes something else than an object.
constexpr std::array<std::string_view, 13> kNotACompile = {
    "-E", "-M",     "-MM",       "-fsyntax-only", "--analyze",    "--precompile",   "-###",
    "-v", "--help", "--version", "-dumpversion",  "-dumpmachine", "-fmodule-header"};

std::string_view suffix_of(std::string_view path) {
  std::size_t slash = path.find_last_of('/');
  std::string_view name = slash == std::string_view::npos ? path : path.substr(slash + 1);
  std::size_t dot = name.find_last_of('.');
  return dot == std::string_view::npos ? std::string_view() : name.substr(dot + 1);
}

std::string with_suffix(std::string_view path, std::string_view suffix) {
  std::string_view old = suffix_of(path);
  if (!old.empty() || (!path.empty() && path.back() == '.')) path.remove_suffix(old.size() + 1);
  return std::string(path) + "." + std::string(suffix);
}

std::string_view name_of(std::string_view path) {
  return path.substr(path.find_last_of('/') + 1);
}

std::optional<std::string> read_text(const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (!file) return std::nullopt;
  std::string text;
  char buffer[4096];
  while (std::size_t count = std::fread(buffer, 1, sizeof buffer, file)) text.append(buffer, count);
  std::fclose(file);
  return text;
}

// A response file that cannot be read is left as it is: the compiler takes it for an input of that name, or complains.
class Expansion {
 public:
  explicit Expansion(bool nvcc) : nvcc_(nvcc) {}

  void add(const std::vector<std::string>& words, int depth = 0) {
    for (std::size_t at = 0; at < words.size(); ++at) {
      const std::string& word = words[at];
      if (depth < deepest && word.size() > 1 && word[0] == '@' && add_file(word.substr(1), depth)) continue;
      const NvccWord option = nvcc_ && depth < deepest ? read_nvcc_word(word) : NvccWord{};
      if (option.option && option.option->meaning == NvccMeaning::options_file) {
        const bool follows = option.value_follows && at + 1 < words.size();
        if (add_files(follows ? words[at + 1] : std::string(option.value), depth)) {
          at += follows;
          continue;
        }
      }
      expanded.push_back(word);
    }
  }

  std::vector<std::string> expanded;

 private:
  static constexpr int deepest = 8;  // a response file may name itself

  bool add_file(const std::string& path, int depth) {
    const std::optional<std::string> text = read_text(path);
    if (text) add(response_words(*text), depth + 1);
    return text.has_value();
  }

  // --options-file A,B: all of them or none.
  bool add_files(const std::string& list, int depth) {
    const std::vector<std::string> paths = nvcc_list(list);
    if (paths.empty() ||
        !std::all_of(paths.begin(), paths.end(), [](const std::string& path) { return read_text(path).has_value(); }))
      return false;
    for (const std::string& path : paths) add_file(path, depth);
    return true;
  }

  bool nvcc_;
};

// A linker's input may stand in front of the first source.
bool may_launch(const std::string& word) {
  constexpr std::array<std::string_view, 5> linked = {"o", "a", "so", "lo", "obj"};
  return !word.empty() && word[0] != '-' && !among(suffix_of(word), kSourceSuffixes) &&
         !among(suffix_of(word), linked) && word.find(".so.") == word.npos;
}

// "g++-12", "aarch64-linux-gnu-gcc", "clang++", "mpicxx", "nvcc"; not "ccache", "distcc" and "env".
bool is_compilers_name(std::string_view program) {
  constexpr std::array<std::string_view, 9> ends = {"cc", "++", "clang", "cxx", "CC", "icx", "icpx", "icc", "icpc"};
  constexpr std::array<std::string_view, 2> launchers = {"distcc", "icecc"};
  std::string_view name = name_of(program);
  const std::size_t version = name.find_last_not_of("0123456789.-");
  name = name.substr(0, version == name.npos ? 0 : version + 1);
  return !among(name, launchers) &&
         std::any_of(ends.begin(), ends.end(), [&](std::string_view end) { return name.ends_with(end); });
}

// Behind launchers whose own words end at `--`: hone cc … -- g++, cmake -E … -- g++.
std::size_t behind_dashes(const std::vector<std::string>& arguments) {
  std::size_t begin = 0;
  for (std::size_t at = 0; at < arguments.size() && (at == begin || may_launch(arguments[at])); ++at) {
    if (const std::string_view name = name_of(arguments[at]); name != "hone" && name != "cmake") continue;
    const auto dashes = std::find(arguments.begin() + static_cast<std::ptrdiff_t>(at), arguments.end(), "--");
    if (dashes == arguments.end() || dashes + 1 == arguments.end()) return begin;
    begin = static_cast<std::size_t>(dashes - arguments.begin()) + 1;
    at = begin - 1;
  }
  return begin;
}

class LineReader {
 public:
  explicit LineReader(std::vector<std::string> arguments) { line_.arguments = std::move(arguments); }

  std::optional<CompilerLine> read() {
    if (!read_words() || sources_.size() != 1 || !(compiles_ || assembles_)) return std::nullopt;
    name_outputs();
    return std::move(line_);
  }

  std::optional<SourcesLine> read_several() {
    if (!read_words() || sources_.empty()) return std::nullopt;
    const bool apart = compiles_ || assembles_;
    if (sources_.size() == 1 && apart) return std::nullopt;
    return SourcesLine{std::move(line_.arguments), std::move(sources_), apart && line_.output.empty() && !line_.nvcc};
  }

 private:
  // False: this command makes something else than an object or a program of sources.
  bool read_words() {
    line_.compiler = find_compiler(line_.arguments);
    line_.nvcc = is_nvcc(line_.arguments[line_.compiler]);
    for (at_ = line_.compiler + 1; at_ < line_.arguments.size(); ++at_) {
      const std::string word = line_.arguments[at_];
      if (!(line_.nvcc ? read_nvcc(word) : read_word(word))) return false;
    }
    return true;
  }

  bool read_word(const std::string& word) {
    if (word == "-") return false;
    if (word.empty() || word[0] != '-') return read_input(word);
    if (among(std::string_view(word), kNotACompile)) return false;
    if (word == "-c")
      compiles_ = true;
    else if (word == "-S")
      assembles_ = true;
    else if (word == "-o")
      line_.output = next();
    else if (word == "-x")
      language_ = next();
    else if (word == "-MF")
      depfile_ = next();
    else if (word == "-MD" || word == "-MMD")
      writes_depfile_ = true;
    else if (word == "-MP")
      line_.phony_prerequisites = true;
    else if (word.starts_with("-MF"))
      depfile_ = word.substr(3);
    else if (word.starts_with("-Wp,"))
      read_preprocessor_words(word.substr(4));
    else if (word.starts_with("-x"))
      language_ = word.substr(2);
    else if (word.starts_with("-o") && !word.starts_with("-obj") && !word.starts_with("-openmp"))
      line_.output = word.substr(2);
    else if (takes_next_word(word))
      next();
    return true;
  }

  bool read_nvcc(const std::string& word) {
    if (word == "-") return false;
    if (word.empty() || word[0] != '-') return read_input(word);
    const NvccWord read = read_nvcc_word(word);
    if (!read.option) return true;  // the host compiler's
    const std::string value = read.value_follows ? next() : std::string(read.value);
    switch (read.option->meaning) {
      case NvccMeaning::other_product:
      case NvccMeaning::output_folder:
        return false;
      case NvccMeaning::compile:
      case NvccMeaning::relocatable:
        compiles_ = true;
        break;
      case NvccMeaning::output:
        line_.output = value;
        break;
      case NvccMeaning::language:
        language_ = value;
        break;
      case NvccMeaning::depfile_too:
        writes_depfile_ = true;
        break;
      case NvccMeaning::depfile:
        depfile_ = value;
        break;
      case NvccMeaning::phony:
        line_.phony_prerequisites = true;
        break;
      default:
        break;
    }
    return true;
  }

  bool read_input(const std::string& word) {
    bool known_language = !language_.empty() && language_ != "none";
    if (known_language ? !takes_language(language_) : !takes_suffix(suffix_of(word)))
      return known_language ? false : true;  // an object or a library beside -c is ignored by the compiler too
    line_.source = at_;
    line_.language = known_language ? named_language() : language_of(suffix_of(word));
    sources_.push_back(at_);
    return true;
  }

  // nvcc's C sources are the host compiler's business.
  bool takes_language(std::string_view language) const {
    return among(language, kSourceLanguages) && !(line_.nvcc && language == "c");
  }
  bool takes_suffix(std::string_view suffix) const {
    return among(suffix, kSourceSuffixes) && !(line_.nvcc && suffix == "c");
  }

  SourceLanguage named_language() const {
    if (language_ == "c") return SourceLanguage::c;
    return language_ == "cu" || language_ == "cuda" ? SourceLanguage::cuda : SourceLanguage::c_plus_plus;
  }

  SourceLanguage language_of(std::string_view suffix) const {
    if (suffix == "cu") return SourceLanguage::cuda;
    const bool as_c = suffix == "c" && !is_plus_plus_driver(line_.arguments[line_.compiler]);
    return as_c ? SourceLanguage::c : SourceLanguage::c_plus_plus;
  }

  // -Wp,-MD,FILE and -Wp,-MMD,-MF,FILE
  void read_preprocessor_words(const std::string& words) {
    std::string_view rest = words;
    bool wants_file = false;
    while (!rest.empty()) {
      std::string_view word = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
      bool makes = word == "-MD" || word == "-MMD";
      if (makes) writes_depfile_ = true;
      if (wants_file && !word.starts_with("-")) depfile_ = word;
      wants_file = makes || word == "-MF";
    }
  }

  void name_outputs() {
    std::string_view source = name_of(line_.arguments[line_.source]);
    bool named = !line_.output.empty();
    if (!named) line_.output = with_suffix(source, assembles_ ? "s" : "o");
    if (writes_depfile_) line_.depfile = !depfile_.empty() ? depfile_ : with_suffix(named ? line_.output : source, "d");
  }

  std::string next() { return at_ + 1 < line_.arguments.size() ? line_.arguments[++at_] : std::string(); }

  CompilerLine line_;
  std::size_t at_ = 0;
  std::string language_, depfile_;
  bool compiles_ = false, assembles_ = false, writes_depfile_ = false;
  std::vector<std::size_t> sources_;
};

}  // namespace

// The compiler is the last word in front of the first option, source or response file: `ccache g++ -c x.cpp`. Where
// that is none by its name, a launcher may have options: `nice -n 5 g++ -c x.cpp`.
std::size_t find_compiler(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return 0;
  std::size_t at = behind_dashes(arguments);
  while (at + 1 < arguments.size() && may_launch(arguments[at + 1])) ++at;
  if (is_compilers_name(arguments[at])) return at;
  for (std::size_t later = at + 1; later < arguments.size(); ++later) {
    const std::string& word = arguments[later];
    if (word == "-c" || word == "-S") break;
    if (takes_next_word(word) || word == "-o" || word == "-x")
      ++later;
    else if (may_launch(word) && is_compilers_name(word))
      return later;
  }
  return at;
}

bool is_plus_plus_driver(std::string_view program) {
  const std::string_view name = name_of(program);
  return name.find("++") != name.npos || name.find("cxx") != name.npos || name.ends_with("CC");
}

const char* language_word(SourceLanguage language) {
  return language == SourceLanguage::c ? "c" : "c++";
}

std::vector<std::string> response_words(std::string_view text) {
  std::vector<std::string> words;
  std::string word;
  bool open = false;
  char quote = 0;
  for (std::size_t at = 0; at < text.size(); ++at) {
    char c = text[at];
    bool blank = c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v';
    if (c == '\\' && at + 1 < text.size()) {
      word += text[++at], open = true;
    } else if (quote) {
      if (c == quote)
        quote = 0;
      else
        word += c;
    } else if (c == '"' || c == '\'') {
      quote = c, open = true;
    } else if (!blank) {
      word += c, open = true;
    } else if (open) {
      words.push_back(std::move(word));
      word.clear(), open = false;
    }
  }
  if (open) words.push_back(std::move(word));
  return words;
}

std::vector<std::string> SourcesLine::command_for(std::size_t source) const {
  std::vector<std::string> command;
  for (std::size_t at = 0; at < arguments.size(); ++at)
    if (at == source || std::find(sources.begin(), sources.end(), at) == sources.end())
      command.push_back(arguments[at]);
  return command;
}

namespace {

std::vector<std::string> expanded(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return {};
  Expansion expansion(is_nvcc(arguments[find_compiler(arguments)]));
  expansion.add(arguments);
  return std::move(expansion.expanded);
}

}  // namespace

std::optional<CompilerLine> read_compiler_line(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = expanded(arguments);
  return words.empty() ? std::nullopt : LineReader(std::move(words)).read();
}

std::optional<SourcesLine> read_sources_line(const std::vector<std::string>& arguments) {
  std::vector<std::string> words = expanded(arguments);
  return words.empty() ? std::nullopt : LineReader(std::move(words)).read_several();
}

}  // namespace hone
