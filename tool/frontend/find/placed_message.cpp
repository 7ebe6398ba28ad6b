#include "tool/frontend/find/placed_message.h"

#include <utility>

#include "tool/frontend/describe/mistake_text.h"

namespace hone::frontend {
namespace {

void move_to(Diagnostic& diagnostic, const FilePlace& place) {
  const auto placed = [&](const std::string& file, unsigned line) { return file + ":" + std::to_string(line) + ":"; };
  const std::string old = placed(diagnostic.file, diagnostic.line);
  if (diagnostic.rendered.starts_with(old)) diagnostic.rendered.replace(0, old.size(), placed(place.file, place.line));
  diagnostic.file = place.file;
  diagnostic.line = place.line;
}

}  // namespace

Diagnostic diagnostic_in(const MainText& file, Mistake mistake, std::string kernel) {
  FilePlace place = file.origins.place_of_line(file.text, mistake.location.line);
  Diagnostic diagnostic = make_diagnostic(file.text, place.file, std::move(mistake));
  if (!file.origins.one_file()) move_to(diagnostic, place);
  diagnostic.kernel = std::move(kernel);
  return diagnostic;
}

std::string where(const Message& message) {
  return message.file + ":" + std::to_string(message.line) + ":" + std::to_string(message.column);
}

tl::unexpected<Error> unparsed(const MainText& file, const std::string& main_file, Message first) {
  if (first.file == main_file) {
    FilePlace place = file.origins.place_of_line(file.text, first.line);
    first.file = std::move(place.file);
    first.line = place.line;
  }
  return failure("Clang cannot parse it: " + first.text, where(first));
}

}  // namespace hone::frontend
