#include "tool/base/annotation_scan.h"

#include <cstddef>

namespace hone {
namespace {

bool continues_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

// The length of a line splice (backslash, blanks as GCC allows them, newline) at `at`, or 0.
std::size_t splice_at(std::string_view text, std::size_t at) {
  if (at >= text.size() || text[at] != '\\') return 0;
  std::size_t end = at + 1;
  while (end < text.size() && (text[end] == ' ' || text[end] == '\t' || text[end] == '\r')) ++end;
  return end < text.size() && text[end] == '\n' ? end + 1 - at : 0;
}

std::size_t skip_splices(std::string_view text, std::size_t at) {
  while (std::size_t length = splice_at(text, at)) at += length;
  return at;
}

// A character before `at` belongs to the same word. A splice there may hide one, so it counts as a boundary: a wrong
// yes.
bool word_starts_at(std::string_view text, std::size_t at) {
  return at == 0 || !continues_word(text[at - 1]);
}

bool word_hone_at(std::string_view text, std::size_t at) {
  for (char expected : std::string_view("hone")) {
    at = skip_splices(text, at);
    if (at >= text.size() || text[at] != expected) return false;
    ++at;
  }
  at = skip_splices(text, at);
  return at >= text.size() || !continues_word(text[at]);
}

}  // namespace

bool mentions_hone(std::string_view text) {
  for (std::size_t at = text.find('h'); at != std::string_view::npos; at = text.find('h', at + 1))
    if (word_starts_at(text, at) && word_hone_at(text, at)) return true;
  return false;
}

}  // namespace hone
