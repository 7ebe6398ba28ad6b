#include "tool/report/terminal.h"

#include <locale.h>
#include <sys/ioctl.h>
#include <unistd.h>
#include <wchar.h>

#include <charconv>
#include <cstdlib>
#include <cstring>

#include "tool/base/utf8.h"

namespace hone::report {
namespace {

// wcwidth() goes by the thread's locale, and a program that set none has C's.
class Utf8Locale {
 public:
  Utf8Locale() : before_(known() ? uselocale(known()) : nullptr) {}
  ~Utf8Locale() {
    if (before_) uselocale(before_);
  }
  Utf8Locale(const Utf8Locale&) = delete;

 private:
  static locale_t known() {
    static const locale_t utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
    return utf8;
  }
  locale_t before_;
};

std::size_t width_of(char32_t code) {
  const int width = code < 0x80 ? 1 : wcwidth(static_cast<wchar_t>(code));
  return width < 0 ? 1 : static_cast<std::size_t>(width);  // unknown to the C library
}

struct Part {
  std::size_t bytes = 0, columns = 0;
};

// As many characters of the text as fit.
Part fitting(std::string_view text, std::size_t most) {
  const Utf8Locale locale;
  Part part;
  while (part.bytes < text.size()) {
    const Utf8Character next = first_character(text.substr(part.bytes));
    const std::size_t width = next.bytes ? width_of(next.code) : 1;
    if (part.columns + width > most) break;
    part.bytes += next.bytes ? next.bytes : 1;
    part.columns += width;
  }
  return part;
}

// 0: not set, or no number.
std::size_t from_environment(const char* name) {
  const char* text = std::getenv(name);
  std::size_t number = 0;
  if (!text) return 0;
  const char* end = text + std::strlen(text);
  const auto [stop, error] = std::from_chars(text, end, number);
  return error == std::errc() && stop == end && number < 10'000 ? number : 0;
}

}  // namespace

std::size_t columns_of(std::string_view text) {
  return fitting(text, std::string_view::npos).columns;
}

std::string cut(std::string_view text, std::size_t columns) {
  constexpr std::string_view dots = "...";
  const Part whole = fitting(text, columns);
  if (whole.bytes == text.size()) return std::string(text);
  if (columns <= 2 * dots.size()) return std::string(text.substr(0, whole.bytes));
  return std::string(text.substr(0, fitting(text, columns - dots.size()).bytes)).append(dots);
}

TerminalSize terminal_size(std::FILE* stream) {
  TerminalSize size;
  winsize window{};
  if (ioctl(fileno(stream), TIOCGWINSZ, &window) == 0) {
    if (window.ws_col) size.columns = window.ws_col;
    if (window.ws_row) size.rows = window.ws_row;
  }
  if (const std::size_t columns = from_environment("COLUMNS")) size.columns = columns;
  if (const std::size_t rows = from_environment("LINES")) size.rows = rows;
  return size;
}

bool can_redraw(std::FILE* stream) {
  const char* terminal = std::getenv("TERM");
  return isatty(fileno(stream)) && terminal && *terminal && std::strcmp(terminal, "dumb") != 0;
}

bool wants_color() {
  const char* no_color = std::getenv("NO_COLOR");
  return !(no_color && *no_color);
}

bool has_terminal_now(std::FILE* stream) {
  const pid_t foreground = tcgetpgrp(fileno(stream));
  return foreground < 0 || foreground == getpgrp();  // < 0: it is not this session's terminal, which has no jobs then
}

}  // namespace hone::report
