#include "tool/apply/apply_notes.h"

#include <algorithm>
#include <cctype>
#include <cstdio>
#include <string_view>

#include "tool/base/printable.h"
#include "tool/frontend/describe/diagnostic.h"

namespace hone::apply {
namespace {

// Does it name a line, like "a.cpp:3" or "a.cpp:3:7"?
bool names_line(const std::string& place) {
  std::size_t colon = place.rfind(':');
  if (colon == std::string::npos || colon + 1 == place.size()) return false;
  return std::all_of(place.begin() + static_cast<std::ptrdiff_t>(colon) + 1, place.end(),
                     [](unsigned char c) { return std::isdigit(c) != 0; });
}

// What a note promises is not so where it is an error: then no compiler is started.
std::string as_error(std::string what) {
  constexpr std::string_view promise = "the original is compiled";
  if (const std::size_t at = what.find(promise); at != std::string::npos)
    what.replace(at, promise.size(), "nothing is compiled");
  return what;
}

// A note may quote a lock file, a record or a variant, which strangers wrote.
std::string headed(const std::string& place, std::string what, bool error) {
  if (error) what = as_error(std::move(what));
  return printable_line(place) + (error ? ": error: hone: " : ": note: hone: ") + printable(what);
}

}  // namespace

void ApplyNotes::say(DiagnosticCode code, const std::string& file, unsigned line, const std::string& what,
                     bool decided) {
  print(code, file + ":" + std::to_string(std::max(line, 1u)), what, {}, decided);
}

std::string ApplyNotes::text(DiagnosticCode code, unsigned line, const std::string& what) const {
  return with_code(headed(source_ + ":" + std::to_string(std::max(line, 1u)), what, strict_), code) + '\n';
}

void ApplyNotes::say(DiagnosticCode code, const Error& error) {
  std::string what = error.what;
  bool placed = names_line(error.where);
  if (!placed && !error.where.empty()) what = error.where + ": " + what;
  if (!error.advice.empty()) what += "; " + error.advice;
  if (const DiagnosticCode own = take_code(what); own != DiagnosticCode::none) code = own;
  print(code, placed ? error.where : source_ + ":1", what + "; the original is compiled");
}

void ApplyNotes::say(const frontend::Diagnostic& diagnostic) {
  std::size_t first_line = diagnostic.rendered.find('\n');
  std::string snippet = first_line == std::string::npos ? "" : diagnostic.rendered.substr(first_line + 1);
  print(diagnostic.code,
        diagnostic.file + ":" + std::to_string(diagnostic.line) + ":" + std::to_string(diagnostic.column),
        diagnostic.message + "; the original is compiled", snippet, diagnostic.warning);
}

void ApplyNotes::print(DiagnosticCode code, const std::string& place, std::string what, const std::string& below,
                       bool harmless) {
  constexpr std::string_view target = "build hone-tune", command = "run hone tune";
  if (const std::size_t at = targets_ ? std::string::npos : what.find(target); at != std::string::npos)
    what.replace(at, target.size(), command);
  std::string text = headed(place, what, strict_ && !harmless);
  for (const std::string& warning : warnings_) text += "; " + warning;
  warnings_.clear();
  text = with_code(std::move(text), code);
  text += '\n' + below;
  if (text.back() != '\n') text += '\n';
  std::fwrite(text.data(), 1, text.size(), stderr);  // one write: parallel compiles share the stream
  said_ = said_ || !harmless;
}

}  // namespace hone::apply
