// The text of an asm statement in device code: what the gate lets pass must say nothing else once nvcc has replaced its
// operands. The first byte is the number of operands.
#include "tool/frontend/gate/ptx_policy.h"

#include <cctype>

#include "tests/fuzz/fuzz.h"
#include "tool/frontend/gate/ptx_words.h"

namespace {

// As nvcc writes it: %0 becomes a register, %% becomes %, and any other % goes with the character behind it.
std::string as_ptxas_reads(std::string_view text, bool operands) {
  std::string read;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%' || !operands) {
      read.push_back(text[i]);
    } else if (++i < text.size() && text[i] == '%') {
      read.push_back('%');
    } else if (i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]))) {
      while (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1]))) ++i;
      read += "R";
    }
  }
  return read;
}

std::string without_comments(const std::string& text) {
  std::string code;
  for (std::size_t i = 0; i < text.size();) {
    const bool line = text.compare(i, 2, "//") == 0, block = text.compare(i, 2, "/*") == 0;
    if (!line && !block) {
      code.push_back(text[i++]);
      continue;
    }
    const std::size_t end = line ? text.find('\n', i) : text.find("*/", i + 2);
    hone::fuzz::require(line || end != std::string::npos, "comments end within the statement");
    i = end == std::string::npos ? text.size() : end + (line ? 0 : 2);
    code.push_back(' ');
  }
  return code;
}

void require_balance(const std::string& code) {
  int open = 0;
  for (const char c : code) {
    open += c == '{';
    open -= c == '}';
    hone::fuzz::require(open >= 0, "braces close what the statement opened");
  }
  hone::fuzz::require(open == 0, "braces are closed");
}

bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using hone::fuzz::require;
  if (size == 0) return 0;
  const std::size_t operands = data[0] % 8;
  const std::string_view text = hone::fuzz::text_of(data + 1, size - 1);
  if (const auto objection = hone::frontend::object_to_ptx_text(text, operands)) {
    require(!objection->why.empty() && objection->at <= text.size(), "an objection has a reason and a place");
    hone::fuzz::require_printable(objection->why, "a reason is printable");
    return 0;
  }
  const std::string code = without_comments(as_ptxas_reads(text, operands > 0));
  require_balance(code);
  require(code.find_first_of("\"'\\$#`?()=*^~") == std::string::npos, "only marks of PTX are left");
  for (std::size_t at = code.find('%'); at != std::string::npos; at = code.find('%', at + 1)) {
    std::size_t end = at + 1 + (code.compare(at, 2, "%%") == 0 ? 1 : 0);  // without operands nvcc leaves both
    const std::size_t begin = end;
    while (end < code.size() && in_word(code[end])) ++end;
    const std::string name = code.substr(begin, end - begin);  // of two letters: declared, as %px
    require(name.size() <= 2 || hone::frontend::object_to_special_register(name).empty(),
            "special registers are on the list");
    at = end - 1;
  }
  return 0;
}
