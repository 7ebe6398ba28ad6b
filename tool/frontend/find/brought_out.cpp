#include "tool/frontend/find/brought_out.h"

#include <algorithm>
#include <string>
#include <utility>

#include "tool/frontend/find/placed_message.h"
#include "tool/frontend/parse/invocation.h"

namespace hone::frontend {
namespace {

Result<void> parse_again(const MainText& file, const Options& options, Parser& parser,
                         std::unique_ptr<TranslationUnit>& unit) {
  Parser::Settings settings;
  settings.reuse_prologue = false;
  settings.overlay = options.overlay;
  HONE_TRY(Parser other, Parser::create(file.command, options, settings));
  HONE_TRY(auto again, TranslationUnit::parse(other, file.text));
  if (!again->parsed().errors().empty()) return unparsed(file, parser.main_file(), again->parsed().errors().front());
  unit = std::move(again);  // before its parser
  parser = std::move(other);
  return {};
}

}  // namespace

Result<std::vector<Diagnostic>> bring_out(MainText& file, const Options& options, Parser& parser,
                                          std::unique_ptr<TranslationUnit>& unit) {
  std::vector<Diagnostic> diagnostics;
  std::vector<TextEdit> edits;
  std::vector<annotations::Location> places;
  const auto add = [&](BroughtOut out) {
    for (Mistake& mistake : out.mistakes) diagnostics.push_back(diagnostic_in(file, std::move(mistake)));
    edits.insert(edits.end(), out.edits.begin(), out.edits.end());
    places.insert(places.end(), out.annotations.begin(), out.annotations.end());
  };
  const Outline outline(*unit);
  add(bring_out_members(*unit, outline));
  add(bring_out_lambdas(*unit, outline));
  add(bring_out_of_macros(*unit, outline, parser));
  if (!edits.empty()) {
    std::ranges::stable_sort(edits, {}, &TextEdit::begin);
    MainText brought_out = edited(file, edits);
    if (const auto parsed = parse_again(brought_out, options, parser, unit); parsed)
      file = std::move(brought_out);
    else
      for (const annotations::Location& place : places)
        diagnostics.push_back(
            diagnostic_in(file, {DiagnosticCode::not_written_out, place,
                                 "the function cannot be written out by itself: " + parsed.error().message()}));
  }
  if (!calls_what_is_private(*unit)) return diagnostics;
  file.command.arguments.insert(
      file.command.arguments.begin() + static_cast<std::ptrdiff_t>(compiler_index(file.command.arguments)) + 1,
      "-fno-access-control");
  HONE_CHECK(parse_again(file, options, parser, unit));
  return diagnostics;
}

void put_in_front(const std::vector<Diagnostic>& first, std::vector<Diagnostic>& diagnostics) {
  const auto at_one_place = [](const Diagnostic& a, const Diagnostic& b) {
    return a.file == b.file && a.line == b.line && a.column == b.column;
  };
  std::erase_if(diagnostics, [&](const Diagnostic& later) {
    return later.code == DiagnosticCode::no_function &&
           std::ranges::any_of(first, [&](const Diagnostic& one) { return at_one_place(one, later); });
  });
  diagnostics.insert(diagnostics.begin(), first.begin(), first.end());
}

}  // namespace hone::frontend
