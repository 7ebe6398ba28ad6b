#include "tool/compile/device/nvrtc_text.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "tool/compile/unit/frozen_text.h"

namespace hone::compile {
namespace {

// A line of a text, without its end.
std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

std::string_view without_indent(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  return line;
}

bool is_directive(std::string_view line, std::string_view name) {
  line = without_indent(line);
  return line.starts_with('#') && without_indent(line.substr(1)).starts_with(name);
}

// Lines that hold no code: directives, with the lines that belong to them, comments and blanks.
class Preamble {
 public:
  // False: there is code in it.
  bool takes(std::string_view line) {
    const std::string_view bare = without_indent(line);
    const bool belongs = comment_ || continued_ || bare.empty() || bare.starts_with('#') || bare.starts_with("//") ||
                         bare.starts_with("/*");
    if (!belongs) return false;
    if (!comment_ && !continued_ && bare.starts_with("/*")) comment_ = true;
    if (comment_) {
      const std::size_t close = bare.find("*/");
      if (close != std::string_view::npos) {
        comment_ = false;
        return bare.find_first_not_of(" \t\r", close + 2) == std::string_view::npos;
      }
    }
    continued_ = line.ends_with('\\');
    return true;
  }

 private:
  bool comment_ = false;    // of several lines
  bool continued_ = false;  // behind a backslash
};

// Where the text behind the last of the leading #include lines begins; 0: there are none.
std::size_t behind_first_includes(std::string_view prologue) {
  std::string_view rest = prologue;
  std::size_t behind = 0;
  for (Preamble preamble; !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (!preamble.takes(line)) break;
    if (is_directive(line, "include")) behind = prologue.size() - rest.size();
  }
  return behind;
}

// "" or a function whose name makes NVRTC's mark as long as that one.
std::string function_to_be_marked_by(std::string_view mark) {
  constexpr std::string_view in_front = "00000000_7_unit_cu_";
  if (mark.size() <= in_front.size()) return {};
  std::string name = "hone_mark";
  name.resize(mark.size() - in_front.size(), '_');
  return "extern \"C\" __device__ void " + name + "() {}\n";
}

// The includes without line directives, then a directive that says where the file goes on, `more` in front of it.
std::string with_includes_first(std::string_view prologue, const std::string& more) {
  const std::size_t behind = behind_first_includes(prologue);
  if (behind == 0) return more + std::string(prologue);
  std::string text, file;
  unsigned line_number = 0;  // of the next line, as the last directive counts them
  for (std::string_view rest = prologue.substr(0, behind); !rest.empty();) {
    const std::string_view line = take_line(rest);
    if (is_directive(line, "line ")) {
      const std::string_view said = without_indent(line.substr(line.find("line ") + 5));
      std::from_chars(said.data(), said.data() + said.size(), line_number);
      if (const std::size_t quote = said.find('"'); quote != std::string_view::npos) file = said.substr(quote);
      continue;
    }
    text.append(line).push_back('\n');
    ++line_number;
  }
  text += "#pragma nv_hdrstop\n" + more;
  if (!file.empty()) text += fmt::format("#line {} {}\n", line_number, file);
  return text.append(prologue.substr(behind));
}

}  // namespace

std::string device_text(const FrozenUnit& unit, const std::string& source, std::string_view mark) {
  FrozenUnit device = unit;
  device.prologue = with_includes_first(unit.prologue, function_to_be_marked_by(mark));
  device.closing_and_harness = unit.device_closing.value_or("");
  return text_to_compile(device, source);
}

bool includes_first(const FrozenUnit& unit) {
  return behind_first_includes(unit.prologue) > 0;
}

}  // namespace hone::compile
