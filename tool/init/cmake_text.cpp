#include "tool/init/cmake_text.h"

#include <algorithm>
#include <cctype>

namespace hone::init {
namespace {

constexpr std::string_view blanks = " \t\r\n";

bool is_name(char letter) {
  return std::isalnum(static_cast<unsigned char>(letter)) || letter == '_';
}

std::string lower(std::string_view text) {
  std::string result(text);
  std::ranges::transform(result, result.begin(), [](unsigned char letter) { return std::tolower(letter); });
  return result;
}

class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  std::optional<std::vector<CMakeCall>> calls() {
    std::vector<CMakeCall> calls;
    while (skip_blanks_and_comments(), at_ < text_.size()) {
      if (!is_name(text_[at_])) return std::nullopt;
      CMakeCall call{.begin = at_};
      while (at_ < text_.size() && is_name(text_[at_])) ++at_;
      call.name = lower(text_.substr(call.begin, at_ - call.begin));
      skip_blanks_and_comments();
      if (!take_arguments(call.arguments)) return std::nullopt;
      call.end = at_;
      calls.push_back(std::move(call));
    }
    return broken_ ? std::nullopt : std::optional(std::move(calls));
  }

 private:
  void skip_blanks_and_comments() {
    while (at_ < text_.size()) {
      if (blanks.find(text_[at_]) != blanks.npos) {
        ++at_;
      } else if (text_[at_] == '#') {
        ++at_;
        if (!take_bracket()) at_ = std::min(text_.find('\n', at_), text_.size());
      } else {
        return;
      }
    }
  }

  // "[==[ … ]==]", where one begins here.
  std::optional<std::string> take_bracket() {
    if (at_ >= text_.size() || text_[at_] != '[') return std::nullopt;
    const std::size_t inner = text_.find_first_not_of('=', at_ + 1);
    if (inner == text_.npos || text_[inner] != '[') return std::nullopt;
    const std::string close = "]" + std::string(inner - at_ - 1, '=') + "]";
    const std::size_t end = text_.find(close, inner + 1);
    if (end == text_.npos) return broken_ = true, at_ = text_.size(), std::nullopt;
    at_ = end + close.size();
    return std::string(text_.substr(inner + 1, end - inner - 1));
  }

  std::optional<std::string> take_quoted() {
    std::string value;
    for (++at_; at_ < text_.size(); ++at_) {
      if (text_[at_] == '"') return ++at_, value;
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      value += text_[at_];
    }
    return std::nullopt;
  }

  std::string take_word() {
    std::string word;
    for (; at_ < text_.size() && blanks.find(text_[at_]) == blanks.npos && text_[at_] != '(' && text_[at_] != ')' &&
           text_[at_] != '#';
         ++at_) {
      if (text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      word += text_[at_];
    }
    return word;
  }

  // Parentheses nest, as in conditions.
  bool take_arguments(std::vector<std::string>& arguments) {
    if (at_ >= text_.size() || text_[at_] != '(') return false;
    ++at_;
    for (int depth = 1; skip_blanks_and_comments(), at_ < text_.size();) {
      const char letter = text_[at_];
      if (letter == '(' || letter == ')') {
        ++at_;
        depth += letter == '(' ? 1 : -1;
        if (depth == 0) return !broken_;
      } else if (letter == '"') {
        const auto quoted = take_quoted();
        if (!quoted) return false;
        arguments.push_back(*quoted);
      } else if (auto bracket = take_bracket()) {
        arguments.push_back(std::move(*bracket));
      } else {
        arguments.push_back(take_word());
      }
    }
    return false;
  }

  const std::string_view text_;
  std::size_t at_ = 0;
  bool broken_ = false;
};

bool makes_a_target(const CMakeCall& call) {
  return call.name == "add_executable" || call.name == "add_library" || call.name == "cuda_add_executable" ||
         call.name == "cuda_add_library";
}

}  // namespace

std::optional<std::vector<CMakeCall>> calls_in(std::string_view text) {
  return Reader(text).calls();
}

std::string with_line_behind(std::string_view text, const CMakeCall& call, const std::string& line) {
  const std::size_t start = text.substr(0, call.begin).rfind('\n') + 1;  // npos + 1 is 0
  const std::string_view before = text.substr(start, call.begin - start);
  const bool alone = before.find_first_not_of(" \t") == before.npos;
  // What stands behind the call in its line, a comment, stays with it.
  const std::size_t end = std::min(text.find('\n', call.end), text.size());
  std::string result(text.substr(0, end));
  result += "\n" + std::string(alone ? before : "") + line;
  return result + (end < text.size() ? std::string(text.substr(end)) : "\n");
}

const CMakeCall* place_for_package(const std::vector<CMakeCall>& calls) {
  const CMakeCall* place = nullptr;
  int depth = 0;  // of if() and others: what is looked for there may be looked for by some only
  for (const CMakeCall& call : calls) {
    if (makes_a_target(call)) break;
    for (const char* block : {"if", "foreach", "while", "function", "macro", "block"}) {
      if (call.name == block) ++depth;
      if (call.name == std::string("end") + block) --depth;
    }
    if (depth == 0 && (call.name == "project" || (place && call.name == "find_package"))) place = &call;
  }
  return place;
}

const CMakeCall* maker_of(const std::vector<CMakeCall>& calls, const std::string& target) {
  const auto found = std::ranges::find_if(calls, [&](const CMakeCall& call) {
    return makes_a_target(call) && !call.arguments.empty() && call.arguments.front() == target &&
           (call.arguments.size() < 2 || (call.arguments[1] != "ALIAS" && call.arguments[1] != "IMPORTED"));
  });
  return found == calls.end() ? nullptr : &*found;
}

bool has_call(const std::vector<CMakeCall>& calls, std::string_view name, std::string_view first) {
  return std::ranges::any_of(calls, [&](const CMakeCall& call) {
    return call.name == name && !call.arguments.empty() && call.arguments.front() == first;
  });
}

}  // namespace hone::init
