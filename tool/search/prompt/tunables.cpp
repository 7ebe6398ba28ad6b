#include "tool/search/prompt/tunables.h"

#include <algorithm>
#include <cassert>
#include <set>

#include "tool/search/text/code_text.h"
#include "tool/search/text/fenced_text.h"

namespace hone::search {
namespace {

constexpr std::string_view kMacro = "HONE_TUNABLE";
constexpr std::size_t kMostValues = 16;
constexpr std::size_t kMostTunables = 8;

// One declaration as it stands in the text.
struct Declaration {
  std::size_t begin = 0, end = 0;  // bytes, without a semicolon behind it
  bool semicolon = false;
  std::vector<std::string> arguments;
};

std::string between(const CodeText& code, std::size_t first, std::size_t last) {
  if (first >= last) return "";
  const std::size_t begin = code.tokens()[first].begin;
  return std::string(trimmed(code.text().substr(begin, code.tokens()[last - 1].end - begin)));
}

std::vector<std::string> arguments_of(const CodeText& code, std::size_t open, std::size_t close) {
  std::vector<std::string> arguments;
  std::size_t first = open + 1;
  for (std::size_t i = open + 1; i <= close; ++i) {
    if (i < close && (code.is(i, "(") || code.is(i, "[") || code.is(i, "{"))) {
      const std::size_t inner = code.closing(i);
      if (inner < close) i = inner;
    } else if (i == close || code.is(i, ",")) {
      arguments.push_back(between(code, first, i));
      first = i + 1;
    }
  }
  return arguments;
}

std::vector<Declaration> declarations(const CodeText& code) {
  std::vector<Declaration> found;
  for (std::size_t i = 0; i < code.tokens().size(); ++i) {
    if (code.tokens()[i].directive || !code.is(i, kMacro) || !code.is(i + 1, "(")) continue;
    const std::size_t close = code.closing(i + 1);
    if (close == CodeText::npos) break;
    found.push_back(
        {code.tokens()[i].begin, code.tokens()[close].end, code.is(close + 1, ";"), arguments_of(code, i + 1, close)});
    i = close;
  }
  return found;
}

bool is_name(const std::string& text) {
  const CodeText code(text);
  return code.tokens().size() == 1 && code.tokens()[0].kind == CodeTokenKind::identifier;
}

bool names_macro(const CodeText& code) {
  for (std::size_t i = 0; i < code.tokens().size(); ++i)
    if (code.is(i, kMacro)) return true;
  return false;
}

tl::expected<Tunable, std::string> tunable_of(const Declaration& declaration) {
  const std::string name = declaration.arguments.front();
  if (!is_name(name)) return tl::unexpected("HONE_TUNABLE must begin with a name, not '" + name.substr(0, 40) + "'");
  Tunable tunable{name, {}};
  for (std::size_t i = 1; i < declaration.arguments.size(); ++i) {
    const std::string& value = declaration.arguments[i];
    if (value.empty()) return tl::unexpected("HONE_TUNABLE(" + name + ") has an empty value");
    if (names_macro(CodeText(value)))
      return tl::unexpected("HONE_TUNABLE(" + name + ") has another HONE_TUNABLE among its values; declare it before");
    if (std::find(tunable.values.begin(), tunable.values.end(), value) == tunable.values.end())
      tunable.values.push_back(value);
  }
  if (tunable.values.empty()) return tl::unexpected("HONE_TUNABLE(" + name + ") has no values");
  if (tunable.values.size() > kMostValues)
    return tl::unexpected("HONE_TUNABLE(" + name + ") has more than " + std::to_string(kMostValues) + " values");
  return tunable;
}

std::size_t lines_in(std::string_view text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

tl::expected<std::vector<Tunable>, std::string> find_tunables(std::string_view source) {
  if (source.find(kMacro) == std::string_view::npos) return std::vector<Tunable>{};
  std::vector<Tunable> tunables;
  std::set<std::string> names;
  for (const Declaration& declaration : declarations(CodeText(source))) {
    auto tunable = tunable_of(declaration);
    if (!tunable) return tl::unexpected(tunable.error());
    if (!names.insert(tunable->name).second)
      return tl::unexpected("HONE_TUNABLE(" + tunable->name +
                            ") is declared twice; declare it once, where all its uses see it");
    tunables.push_back(std::move(*tunable));
  }
  if (tunables.size() > kMostTunables)
    return tl::unexpected("there are more than " + std::to_string(kMostTunables) +
                          " HONE_TUNABLE; keep those that matter");
  return tunables;
}

std::string resolve_tunables(std::string_view source, const std::vector<Tunable>& tunables,
                             const TunableChoice& choice) {
  assert(choice.size() == tunables.size());
  const CodeText code(source);
  const std::vector<Declaration> found = declarations(code);
  assert(found.size() == tunables.size());
  std::string resolved;
  std::size_t at = 0;
  for (std::size_t i = 0; i < found.size(); ++i) {
    assert(choice[i] < tunables[i].values.size());
    const std::string_view written = source.substr(found[i].begin, found[i].end - found[i].begin);
    resolved.append(source.substr(at, found[i].begin - at));
    resolved += "constexpr auto " + tunables[i].name + " = " + tunables[i].values[choice[i]];
    if (!found[i].semicolon) resolved += ";";
    const std::size_t lines = lines_in(written);
    const std::size_t kept = lines_in(tunables[i].values[choice[i]]);
    resolved.append(lines > kept ? lines - kept : 0, '\n');
    at = found[i].end;
  }
  resolved.append(source.substr(at));
  return resolved;
}

std::string without_hone_header(std::string_view source) {
  std::string kept;
  while (!source.empty()) {
    const std::string_view line = source.substr(0, source.find('\n'));
    const std::size_t hash = line.find_first_not_of(" \t");
    const bool directive = hash != std::string_view::npos && line[hash] == '#';
    if (!directive || line.find("include") == std::string_view::npos ||
        line.find("hone/hone.h") == std::string_view::npos)
      kept.append(line);
    if (line.size() < source.size()) kept += '\n';
    source.remove_prefix(std::min(line.size() + 1, source.size()));
  }
  return kept;
}

TunableChoice default_choice(const std::vector<Tunable>& tunables) {
  return TunableChoice(tunables.size(), 0);
}

std::string describe_choice(const std::vector<Tunable>& tunables, const TunableChoice& choice) {
  assert(choice.size() == tunables.size());
  std::string text;
  for (std::size_t i = 0; i < tunables.size(); ++i)
    text += (i ? " " : "") + tunables[i].name + "=" + tunables[i].values[choice[i]];
  std::replace(text.begin(), text.end(), '\n', ' ');  // a value may be written over lines
  return text;
}

}  // namespace hone::search
