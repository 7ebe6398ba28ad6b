#include "tool/evaluate/compile_flags.h"

#include <algorithm>
#include <string_view>

#include "tool/base/compiler_line.h"

namespace hone::evaluate {
namespace {

enum class Match { whole, start };
enum class Use { nowhere, freeze_only };  // everything that no rule names is used by both

struct Rule {
  std::string_view flag;
  Match match = Match::whole;
  bool value = false;  // the next word belongs to it, when the flag stands alone
  Use use = Use::nowhere;
};

constexpr Rule rules[] = {
    // files of the project
    {"-isystem", Match::start, true, Use::freeze_only},
    {"-iquote", Match::start, true, Use::freeze_only},
    {"-idirafter", Match::start, true, Use::freeze_only},
    {"-include-pch", Match::whole, true, Use::freeze_only},
    {"-include", Match::start, true, Use::freeze_only},
    {"-imacros", Match::start, true, Use::freeze_only},
    {"-iprefix", Match::start, true, Use::freeze_only},
    {"-iwithprefixbefore", Match::start, true, Use::freeze_only},
    {"-iwithprefix", Match::start, true, Use::freeze_only},
    {"-I", Match::start, true, Use::freeze_only},
    {"-ivfsoverlay", Match::start, true, Use::freeze_only},
    // other outputs
    {"-c"},
    {"-S"},
    {"-E"},
    {"-P"},
    {"-C"},
    {"-CC"},
    {"-H"},
    {"-o", Match::start, true},
    {"-MF", Match::start, true},
    {"-MT", Match::start, true},
    {"-MQ", Match::start, true},
    {"-MJ", Match::start, true},
    {"-M", Match::start},
    {"-g", Match::start},
    {"-pg"},
    {"-p"},
    {"--coverage"},
    {"-coverage"},
    {"-fprofile", Match::start},
    {"-fno-profile", Match::start},
    {"-ftest-coverage"},
    {"-fcoverage", Match::start},
    {"-fbranch-probabilities"},
    {"-fauto-profile", Match::start},
    {"-finstrument", Match::start},
    {"-fxray", Match::start},
    {"-save-temps", Match::start},
    {"-ftime-trace", Match::start},
    {"-ftime-report"},
    {"-fstack-usage"},
    {"-fcallgraph-info", Match::start},
    {"-fdump", Match::start},
    {"-aux-info", Match::whole, true},
    {"-dumpbase", Match::whole, true},
    {"-dumpdir", Match::whole, true},
    {"-flto", Match::start},
    {"-fno-lto"},
    {"-ffat-lto-objects"},
    {"-fno-fat-lto-objects"},
    {"-fuse-linker-plugin"},
    {"-fwhole-program"},
    {"-fwhole-program-vtables"},
    {"-fmodules", Match::start},
    {"-fmodule-", Match::start},
    {"-fdeps", Match::start},
    {"-fplugin", Match::start},
    {"-fsave-optimization-record"},
    {"-fopt-info", Match::start},
    {"-Rpass", Match::start},
    // style
    {"-w"},
    {"-v"},
    {"-pedantic", Match::start},
    {"--pedantic", Match::start},
    {"-fdiagnostics", Match::start},
    {"-fcolor-diagnostics"},
    {"-fansi-escape-codes"},
    {"-fmessage-length", Match::start},
    {"-fmax-errors", Match::start},
    {"-ferror-limit", Match::start},
    // at odds with a shared object that is loaded, looked into and checked
    {"-fPIE"},
    {"-fpie"},
    {"-fPIC"},
    {"-fpic"},
    {"-fno-PIC"},
    {"-fno-pic"},
    {"-fno-PIE"},
    {"-fno-pie"},
    {"-pie"},
    {"-no-pie"},
    {"-static", Match::start},
    {"-shared", Match::start},
    {"-fvisibility", Match::start},
    {"-fsanitize", Match::start},
    {"-fno-sanitize", Match::start},
    {"-mcmodel=kernel"},
    {"-rdynamic"},
    {"-s"},
    {"-nostdlib", Match::start},
    {"-nodefaultlibs"},
    {"-nostartfiles"},
    {"-fuse-ld", Match::start},
    {"-l", Match::start, true},
    {"-L", Match::start, true},
    {"-T", Match::start, true},
    {"-Xlinker", Match::whole, true},
    {"-Xassembler", Match::whole, true},
    {"-z", Match::whole, true},
    {"-u", Match::whole, true},
    {"-x", Match::start, true},
};

// What a -Xclang passes on is the front end's own business, unless it names a file or a plugin.
constexpr std::string_view frontend_files[] = {"-include",    "-include-pch",  "-load", "-plugin",
                                               "-add-plugin", "-fmodule-file", "-o",    "-dependency-file"};

const Rule* rule_for(std::string_view word) {
  const Rule* best = nullptr;  // the longest: -include is no -I, -MF no -M
  for (const Rule& rule : rules) {
    const bool matches = rule.match == Match::whole ? word == rule.flag : word.starts_with(rule.flag);
    if (matches && (best == nullptr || rule.flag.size() > best->flag.size())) best = &rule;
  }
  return best;
}

// -Wall and its like; but -Wa, passes options to the assembler and -Wp, to the preprocessor, where distributions put
// macros.
bool is_warning(std::string_view word) {
  return word.starts_with("-W") && !word.starts_with("-Wp,-D") && !word.starts_with("-Wp,-U");
}

class Splitter {
 public:
  Splitter(const CompilerLine& line, CompileFlags& flags) : line_(line), flags_(flags) {}

  void run() {
    for (at_ = line_.compiler + 1; at_ < line_.arguments.size(); ++at_) {
      if (at_ == line_.source) continue;
      const std::string& word = line_.arguments[at_];
      if (word == "-Xclang") {
        pass_to_frontend();
      } else if (word == "-D" || word == "-U") {
        macro({word + next()});
      } else if (word.starts_with("-D") || word.starts_with("-U")) {
        macro({word});
      } else if (is_warning(word)) {
        continue;
      } else if (const Rule* rule = rule_for(word)) {
        drop(*rule, word);
      } else {
        keep_with_value(word);
      }
    }
  }

 private:
  std::string next() { return at_ + 1 < line_.arguments.size() ? line_.arguments[++at_] : std::string(); }

  void both(const std::vector<std::string>& words) {
    flags_.freeze.insert(flags_.freeze.end(), words.begin(), words.end());
    flags_.unit.insert(flags_.unit.end(), words.begin(), words.end());
  }
  void macro(const std::vector<std::string>& words) {
    both(words);
    flags_.macros.insert(flags_.macros.end(), words.begin(), words.end());
  }

  void drop(const Rule& rule, const std::string& word) {
    std::vector<std::string> words{word};
    if (rule.value && word == rule.flag) words.push_back(next());
    if (rule.use == Use::freeze_only) flags_.freeze.insert(flags_.freeze.end(), words.begin(), words.end());
  }

  void keep_with_value(const std::string& word) {
    static constexpr std::string_view with_value[] = {"--param",   "-mllvm",    "-target", "-arch",
                                                      "-isysroot", "--sysroot", "-B",      "-Xpreprocessor"};
    const bool value = std::find(std::begin(with_value), std::end(with_value), word) != std::end(with_value);
    if (value) {
      both({word, next()});
    } else if (!word.empty() && word[0] == '-') {
      both({word});
    }
  }

  // -Xclang A [-Xclang B]: whether A takes B is known only for those that name files.
  void pass_to_frontend() {
    const std::string passed = next();
    const bool file = std::any_of(std::begin(frontend_files), std::end(frontend_files),
                                  [&](std::string_view flag) { return passed == flag; });
    if (!file) return both({"-Xclang", passed});
    std::vector<std::string> words{"-Xclang", passed};
    if (at_ + 2 < line_.arguments.size() && line_.arguments[at_ + 1] == "-Xclang") {
      words.push_back(next());
      words.push_back(next());
    }
    if (passed.starts_with("-include")) flags_.freeze.insert(flags_.freeze.end(), words.begin(), words.end());
  }

  const CompilerLine& line_;
  CompileFlags& flags_;
  std::size_t at_ = 0;
};

// Response files are named from the command's own directory.
std::vector<std::string> with_absolute_response_files(const CompileCommand& command) {
  std::vector<std::string> words = command.arguments;
  for (std::string& word : words) {
    if (word.size() > 1 && word[0] == '@' && word[1] != '/') word = "@" + command.directory + "/" + word.substr(1);
  }
  return words;
}

}  // namespace

std::optional<CompileFlags> split_flags(const CompileCommand& command) {
  const std::optional<CompilerLine> line = read_compiler_line(with_absolute_response_files(command));
  if (!line) return std::nullopt;
  CompileFlags flags;
  flags.compiler = line->arguments[line->compiler];
  if (flags.compiler.find('/') != std::string::npos && flags.compiler[0] != '/') {
    flags.compiler = command.directory + "/" + flags.compiler;
  }
  Splitter(*line, flags).run();
  return flags;
}

}  // namespace hone::evaluate
