#include "tool/compile/unit/frozen_text.h"

#include <array>

#include <fmt/format.h>

#include "tool/compile/unit/line_marker.h"
#include "tool/compile/unit/preamble.h"
#include "tool/model/candidate.h"

namespace hone::compile {
namespace {

constexpr std::array<std::string_view, 2> cuts = {"hone_cut_in_front_of_the_opening", "hone_cut_for_the_definition"};

// The compiler defines these again.
std::string without_predefined_macros(std::string_view text) {
  std::string kept;
  kept.reserve(text.size());
  bool predefined = false;
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    if (const LineMarker marker = read_line_marker(line)) predefined = is_predefined(marker.file);
    if (predefined && (line.starts_with("#define ") || line.starts_with("#undef "))) continue;
    kept.append(line).push_back('\n');
  }
  return kept;
}

std::string line_directive(unsigned line, std::string_view file) {
  return fmt::format("#line {} \"{}\"\n", line, file);
}

// Appends a piece and a line end, so that no piece ends in the middle of a line.
void append_piece(std::string& text, std::string_view piece) {
  text += piece;
  if (!text.empty() && text.back() != '\n') text += '\n';
}

void append_behind_prologue(std::string& text, const FrozenUnit& unit, const std::string& source) {
  const bool original = source == unit.definition;
  const SplitSource split = original ? SplitSource{"", source, unit.definition_line} : split_includes(source);
  if (!split.includes.empty()) {
    text += line_directive(1, "candidate");
    append_piece(text, split.includes);
  }
  append_piece(text, unit.opening);
  text += line_directive(split.definition_line, original ? unit.file : "candidate");
  append_piece(text, split.definition);
  append_piece(text, unit.closing_and_harness);
}

}  // namespace

std::string text_to_preprocess(const KernelUnit& unit) {
  std::string text;
  append_piece(text, unit.prologue);
  append_piece(text, cuts[0]);
  append_piece(text, unit.opening);
  append_piece(text, cuts[1]);
  append_piece(text, unit.closing);
  append_piece(text, unit.harness);
  return text;
}

std::optional<FrozenUnit> cut_preprocessed(std::string_view text) {
  const bool has_preamble = !tells_depth(text);
  std::array<std::string_view, 3> pieces;
  for (std::size_t i = 0; i < cuts.size(); ++i) {
    const std::string line = fmt::format("\n{}\n", cuts[i]);
    const bool at_start = text.starts_with(std::string_view(line).substr(1));
    const std::size_t at = at_start ? 0 : text.find(line);
    if (at == std::string_view::npos) return std::nullopt;
    pieces[i] = text.substr(0, at_start ? 0 : at + 1);
    text.remove_prefix(at + line.size() - (at_start ? 1 : 0));
  }
  pieces[2] = text;
  FrozenUnit unit;
  unit.prologue = without_predefined_macros(pieces[0]);
  if (has_preamble) unit.preamble = preamble_size(unit.prologue);
  unit.opening = pieces[1];
  unit.closing_and_harness = pieces[2];
  return unit;
}

FrozenUnit with_directives(const KernelUnit& unit) {
  FrozenUnit frozen;
  frozen.prologue = unit.prologue;
  frozen.opening = unit.opening;
  append_piece(frozen.closing_and_harness, unit.closing);
  append_piece(frozen.closing_and_harness, unit.harness);
  return frozen;
}

std::string text_to_compile(const FrozenUnit& unit, const std::string& source) {
  std::string text;
  append_piece(text, unit.prologue);
  append_behind_prologue(text, unit, source);
  return text;
}

std::string text_behind_preamble(const FrozenUnit& unit, const std::string& source) {
  std::string text;
  append_piece(text, behind_preamble(unit.prologue, unit.preamble));
  append_behind_prologue(text, unit, source);
  return text;
}

}  // namespace hone::compile
