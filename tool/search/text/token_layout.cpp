#include "tool/search/text/token_layout.h"

#include <algorithm>
#include <cctype>

#include "tool/search/text/code_text.h"

namespace hone::search {
namespace {

constexpr std::size_t deepest = 20;  // that is indented

class Layout {
 public:
  explicit Layout(std::string_view tokens) : code_(tokens) {}

  std::string run() {
    for (std::size_t i = 0; i < code_.tokens().size(); ++i) {
      if (starts_line(i)) {
        end_line();
      } else if (!line_.empty() && has_blank(i)) {
        line_ += ' ';
      }
      put(i);
    }
    end_line();
    return std::move(text_);
  }

 private:
  // What the text has on lines of its own: directives.
  bool starts_line(std::size_t token) const {
    if (token == 0 || line_.empty()) return false;
    const auto &one = code_.tokens()[token - 1], &next = code_.tokens()[token];
    if (!one.directive && !next.directive) return false;
    return code_.text().substr(one.end, next.begin - one.end).find('\n') != std::string_view::npos;
  }

  void put(std::size_t token) {
    const std::string_view spelling = code_.spelling(token);
    const bool directive = code_.tokens()[token].directive;
    if (!directive && spelling == "}") {
      if (!in_list_) end_line();
      depth_ -= depth_ > 0;
    }
    line_ += spelling;
    if (directive) return;
    if (spelling == "(" || spelling == "[") ++brackets_;
    if (spelling == ")" || spelling == "]") brackets_ -= brackets_ > 0;
    if (spelling == "{") open_brace(token);
    if (spelling == "}") close_brace(token);
    if (spelling == ";" && brackets_ == 0 && !in_list_) end_line();
  }

  // Behind an equals sign, a comma or a return there is a list of values, which stays on its line.
  void open_brace(std::size_t token) {
    in_list_ = in_list_ || brackets_ > 0 || (token > 0 && (code_.is(token - 1, "=") || code_.is(token - 1, "return")));
    if (in_list_) {
      ++list_depth_;
      return;
    }
    end_line();
    ++depth_;
  }

  void close_brace(std::size_t token) {
    if (in_list_) {
      list_depth_ -= list_depth_ > 0;
      in_list_ = list_depth_ > 0;
      return;
    }
    const bool goes_on = code_.is(token + 1, ";") || code_.is(token + 1, "else") || code_.is(token + 1, "while") ||
                         code_.is(token + 1, ",") || code_.is(token + 1, ")");
    if (!goes_on) end_line();
  }

  // Only beside brackets and commas a blank can go: elsewhere two tokens might become one.
  bool has_blank(std::size_t token) const {
    const std::string_view one = code_.spelling(token - 1), next = code_.spelling(token);
    if (code_.tokens()[token - 1].end == code_.tokens()[token].begin) return false;  // "++" is two of CodeText's
    if (code_.tokens()[token].directive) return true;
    if (one == "(" || one == "[" || next == ")" || next == "]" || next == "," || next == ";" || next == "[")
      return false;
    const char last = one.empty() ? ' ' : one.back();
    const bool name = std::isalnum(static_cast<unsigned char>(last)) || last == '_';
    const bool keyword = one == "for" || one == "if" || one == "while" || one == "switch" || one == "return";
    return !(next == "(" && name && !keyword);
  }

  void end_line() {
    if (line_.empty()) return;
    if (!line_.starts_with("#")) text_.append(2 * std::min(depth_, deepest), ' ');
    text_ += line_ + '\n';
    line_.clear();
  }

  const CodeText code_;
  std::string text_, line_;
  std::size_t depth_ = 0, brackets_ = 0, list_depth_ = 0;
  bool in_list_ = false;
};

}  // namespace

std::string laid_out_tokens(std::string_view tokens) {
  return Layout(tokens).run();
}

}  // namespace hone::search
