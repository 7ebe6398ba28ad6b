#include "tool/command/host_flags.h"

#include <algorithm>

#include "tool/command/value_options.h"

namespace hone {
namespace {

enum class Match { whole, start };

struct Rule {
  std::string_view flag;
  Match match = Match::whole;
  FlagUse use = FlagUse::nowhere;
};

// Everything that no rule names is the unit's.
constexpr Rule rules[] = {
    // files of the project
    {"-isystem", Match::start, FlagUse::headers},
    {"-iquote", Match::start, FlagUse::headers},
    {"-idirafter", Match::start, FlagUse::headers},
    {"-include-pch", Match::whole, FlagUse::headers},
    {"-include", Match::start, FlagUse::headers},
    {"-imacros", Match::start, FlagUse::headers},
    {"-iprefix", Match::start, FlagUse::headers},
    {"-iwithprefixbefore", Match::start, FlagUse::headers},
    {"-iwithprefix", Match::start, FlagUse::headers},
    {"-I", Match::start, FlagUse::headers},
    {"-ivfsoverlay", Match::start, FlagUse::headers},
    // other outputs
    {"-c"},
    {"-S"},
    {"-E"},
    {"-P"},
    {"-C"},
    {"-CC"},
    {"-H"},
    {"-o", Match::start},
    {"-MF", Match::start},
    {"-MT", Match::start},
    {"-MQ", Match::start},
    {"-MJ", Match::start},
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
    {"-aux-info"},
    {"-dumpbase"},
    {"-dumpdir"},
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
    {"-l", Match::start},
    {"-L", Match::start},
    {"-T", Match::start},
    {"-Xlinker"},
    {"-Xassembler"},
    {"-z"},
    {"-u"},
    {"-x", Match::start},
};

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
  const bool value_follows = takes_next_word(word) || word == "-o" || word == "-MF" || word == "-x";
  if (const Rule* rule = rule_for(word)) return {rule->use, value_follows, false, rule->flag};
  return {word.starts_with('-') ? FlagUse::unit : FlagUse::nowhere, value_follows, false, {}};
}

}  // namespace hone
