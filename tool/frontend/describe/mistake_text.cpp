#include "tool/frontend/describe/mistake_text.h"
#include "tool/frontend/describe/diagnostic.h"

namespace hone::frontend {
namespace {

std::string_view line_of(std::string_view text, unsigned number) {
  for (unsigned line = 1; line < number; ++line) {
    const std::size_t newline = text.find('\n');
    if (newline == std::string_view::npos) return {};
    text.remove_prefix(newline + 1);
  }
  return text.substr(0, text.find_first_of("\r\n"));
}

Diagnostic make(std::string_view source, std::string file, Mistake mistake, bool warning) {
  const annotations::Location place = mistake.location;
  Diagnostic diagnostic{mistake.code, std::move(file), place.line, place.column, std::move(mistake.message),
                        {},           warning};
  diagnostic.rendered = diagnostic.file + ":" + std::to_string(place.line) + ":" + std::to_string(place.column) +
                        (warning ? ": warning: " : ": error: ") + with_code(diagnostic.message, diagnostic.code) + "\n";
  const std::string_view line = line_of(source, place.line);
  if (line.empty()) return diagnostic;
  diagnostic.rendered.append(line).push_back('\n');
  for (unsigned column = 1; column < place.column; ++column)
    diagnostic.rendered.push_back(column <= line.size() && line[column - 1] == '\t' ? '\t' : ' ');
  diagnostic.rendered.append("^\n");
  return diagnostic;
}

}  // namespace

Diagnostic make_diagnostic(std::string_view source, std::string file, Mistake mistake) {
  return make(source, std::move(file), std::move(mistake), false);
}

Diagnostic make_warning(std::string_view source, std::string file, Mistake mistake) {
  return make(source, std::move(file), std::move(mistake), true);
}

}  // namespace hone::frontend
