#include "tool/command/host_flags.h"

#include <algorithm>
#include <iterator>

namespace hone {
namespace {

enum class Match { whole, start };

struct Rule {
  std::string_view flag;
  Match match = Match::whole;
  bool value = false;  // the next word belongs to it, when the flag stands alone
  FlagUse use = FlagUse::nowhere;
};

// Everything that no rule names is the unit's.
constexpr Rule rules[] = {
    // files of the project
    {"-isystem", Match::start, true, FlagUse::headers},
    {"-iquote", Match::start, true, FlagUse::headers},
    {"-idirafter", Match::start, true, FlagUse::headers},
    {"-include-pch", Match::whole, true, FlagUse::headers},
    {"-include", Match::start, true, FlagUse::headers},
    {"-imacros", Match::start, true, FlagUse::headers},
    {"-iprefix", Match::start, true, FlagUse::headers},
    {"-iwithprefixbefore", Match::start, true, FlagUse::headers},
    {"-iwithprefix", Match::start, true, FlagUse::headers},
    {"-I", Match::start, true, FlagUse::headers},
    {"-ivfsoverlay", Match::start, true, FlagUse::headers},
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

constexpr std::string_view with_value[] = {"--param",   "-mllvm",    "-target", "-arch",
                                           "-isysroot", "--sysroot", "-B",      "-Xpreprocessor"};

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

}  // namespace

HostFlag read_host_flag(std::string_view word) {
  if (word.starts_with("-D") || word.starts_with("-U")) return {FlagUse::unit, word.size() == 2, true, {}};
  if (is_warning(word)) return {FlagUse::nowhere, false, false, {}};
  if (const Rule* rule = rule_for(word)) return {rule->use, rule->value && word == rule->flag, false, rule->flag};
  const bool value = std::find(std::begin(with_value), std::end(with_value), word) != std::end(with_value);
  return {word.starts_with('-') ? FlagUse::unit : FlagUse::nowhere, value, false, {}};
}

}  // namespace hone
