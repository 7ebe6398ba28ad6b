#include "tool/command/compile_flags.h"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "tool/command/host_flags.h"
#include "tool/command/nvcc_options.h"

namespace hone {
namespace {

// What a -Xclang passes on is the front end's own business, unless it names a file or a plugin.
constexpr std::string_view frontend_files[] = {"-include",    "-include-pch",  "-load", "-plugin",
                                               "-add-plugin", "-fmodule-file", "-o",    "-dependency-file"};

class Words {
 public:
  Words(const CompilerLine& line, CompileFlags& flags) : line_(line), flags_(flags), at_(line.compiler) {}

  // False: there is no further one. The source is none.
  bool advance() {
    if (++at_ == line_.source) ++at_;
    return at_ < line_.arguments.size();
  }
  const std::string& word() const { return line_.arguments[at_]; }
  std::string next() { return at_ + 1 < line_.arguments.size() ? line_.arguments[++at_] : std::string(); }
  bool is_next(std::string_view word) const {
    return at_ + 1 < line_.arguments.size() && line_.arguments[at_ + 1] == word;
  }

  void keep(const std::vector<std::string>& words) {
    flags_.freeze.insert(flags_.freeze.end(), words.begin(), words.end());
    flags_.unit.insert(flags_.unit.end(), words.begin(), words.end());
  }
  void keep_macro(const std::string& word) {
    keep({word});
    flags_.macros.push_back(word);
  }
  void keep_for_headers(const std::vector<std::string>& words) {
    flags_.freeze.insert(flags_.freeze.end(), words.begin(), words.end());
  }

 private:
  const CompilerLine& line_;
  CompileFlags& flags_;
  std::size_t at_;
};

// -Xclang A [-Xclang B]: whether A takes B is known only for those that name files.
void pass_to_frontend(Words& words) {
  const std::string passed = words.next();
  const bool file = std::any_of(std::begin(frontend_files), std::end(frontend_files),
                                [&](std::string_view flag) { return passed == flag; });
  if (!file) return words.keep({"-Xclang", passed});
  std::vector<std::string> all{"-Xclang", passed};
  if (words.is_next("-Xclang")) {
    all.push_back(words.next());
    all.push_back(words.next());
  }
  if (passed.starts_with("-include")) words.keep_for_headers(all);
}

void split(Words words) {
  while (words.advance()) {
    const std::string word = words.word();
    if (word == "-Xclang") {
      pass_to_frontend(words);
      continue;
    }
    const HostFlag flag = read_host_flag(word);
    std::vector<std::string> all{word};
    if (flag.value_follows) all.push_back(words.next());
    if (flag.macro)
      words.keep_macro(flag.value_follows ? all[0] + all[1] : word);
    else if (flag.use == FlagUse::unit)
      words.keep(all);
    else if (flag.use == FlagUse::headers)
      words.keep_for_headers(all);
  }
}

class NvccSplitter {
 public:
  NvccSplitter(Words words, CompileFlags& flags) : words_(std::move(words)), flags_(flags) {}

  void run() {
    while (words_.advance()) {
      const std::string word = words_.word();
      const NvccWord read = read_nvcc_word(word);
      if (!read.option) {
        host_word(word, {});
        continue;
      }
      const std::string value = read.value_follows ? words_.next() : std::string(read.value);
      take(*read.option, value, read.value_follows ? std::vector{word, value} : std::vector{word});
    }
    for (const HeaderFlag& header : flags_.headers) words_.keep_for_headers({header.word(header.path)});
  }

 private:
  void take(const NvccOption& option, const std::string& value, const std::vector<std::string>& words) {
    switch (option.meaning) {
      case NvccMeaning::macro:
        return words_.keep_macro(std::string(option.alias) + value);
      case NvccMeaning::folder:
      case NvccMeaning::system_folder:
      case NvccMeaning::header:
        for (const std::string& path : nvcc_list(value))
          flags_.headers.push_back({std::string(option.alias) + "=", path, false});
        return;
      case NvccMeaning::host_compiler:
        flags_.host_compiler = value;
        return;
      case NvccMeaning::host_options:
        for (const std::string& part : nvcc_list(value)) host_word(part, "-Xcompiler=");
        return;
      case NvccMeaning::relocatable:
        return words_.keep({"-rdc=true"});
      default:
        if (decides_code(option.meaning)) words_.keep(words);
    }
  }

  // One of the host compiler's, behind -Xcompiler or by itself. Its value may be the next one.
  void host_word(const std::string& word, const std::string& prefix) {
    if (awaited_) {
      const std::string flag = *std::exchange(awaited_, std::nullopt);
      const HostFlag read = read_host_flag(flag);
      if (read.use == FlagUse::headers)
        header(std::string(read.name), word);
      else if (read.use == FlagUse::unit)
        words_.keep({prefix + flag, prefix + word});
      return;
    }
    const HostFlag read = read_host_flag(word);
    if (read.value_follows)
      awaited_ = word;
    else if (read.macro)
      words_.keep_macro(prefix + word);
    else if (read.use == FlagUse::headers)
      header(std::string(read.name), word.substr(read.name.size()));
    else if (read.use == FlagUse::unit)
      words_.keep({prefix + word});
  }

  void header(const std::string& name, std::string path) {
    std::erase(path, '"');
    flags_.headers.push_back({name + ",", path, true});
  }

  Words words_;
  CompileFlags& flags_;
  std::optional<std::string> awaited_;
};

// Response files are named from the command's own directory.
std::vector<std::string> with_absolute_response_files(const CompileCommand& command) {
  std::vector<std::string> words = command.arguments;
  const auto absolute = [&](const std::string& path) {
    return path.starts_with('/') ? path : command.directory + "/" + path;
  };
  for (std::size_t at = 0; at < words.size(); ++at) {
    std::string& word = words[at];
    const NvccWord read = read_nvcc_word(word);
    if (word.size() > 1 && word[0] == '@') {
      word = "@" + absolute(word.substr(1));
    } else if (read.option && read.option->meaning == NvccMeaning::options_file) {
      std::string list;
      for (const std::string& path :
           nvcc_list(read.value_follows && at + 1 < words.size() ? words[at + 1] : read.value))
        list += (list.empty() ? "" : ",") + absolute(path);
      if (read.value_follows && at + 1 < words.size())
        words[++at] = list;
      else
        word = std::string(read.option->name) + "=" + list;
    }
  }
  return words;
}

}  // namespace

std::string HeaderFlag::word(const std::string& where) const {
  return host ? "-Xcompiler=" + flag + nvcc_host_word(where) : flag + where;
}

std::optional<CompileFlags> split_flags(const CompileCommand& command) {
  const std::optional<CompilerLine> line = read_compiler_line(with_absolute_response_files(command));
  if (!line) return std::nullopt;
  CompileFlags flags;
  flags.nvcc = line->nvcc;
  flags.language = line->language;
  flags.compiler = line->arguments[line->compiler];
  if (flags.compiler.find('/') != std::string::npos && flags.compiler[0] != '/') {
    flags.compiler = command.directory + "/" + flags.compiler;
  }
  if (flags.nvcc)
    NvccSplitter(Words(*line, flags), flags).run();
  else
    split(Words(*line, flags));
  return flags;
}

}  // namespace hone
