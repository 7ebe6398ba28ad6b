#include "tool/frontend/place/uncloned_text.h"

#include <algorithm>
#include <optional>

#include "tool/frontend/parse/file_regions.h"
#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/parse/source_tokens.h"
#include "tool/frontend/place/variant_functions.h"

namespace hone::frontend {
namespace {

// Behind what has to come first: `template <…>`, `extern "C"`.
std::size_t behind_heads(const std::string& text, std::size_t begin) {
  const SourceTokens tokens(text, permissive_language());
  std::size_t at = tokens.at_or_after(begin);
  for (;;) {
    if (tokens.is(at, "template") && tokens.is(at + 1, "<"))
      at = tokens.behind_brackets(at + 1);
    else if (tokens.is(at, "extern") && tokens.spelling(at + 1).starts_with('"'))
      at += 2;
    else
      return tokens[at].begin;
  }
}

// Its head asks for copies, or for one for each of several processors: compilers warn of both, or refuse them.
bool asks_for_copies(std::string_view head) {
  return head.find("always_inline") != head.npos || head.find("target_clones") != head.npos;
}

}  // namespace

std::string uncloned_text(const SplitSource& variant, std::string_view name, std::string_view display) {
  const std::string& text = variant.definition;
  const std::optional<VariantFunction> function = kernel_function(name, text);
  if (!function || asks_for_copies(text.substr(function->begin, function->body - function->begin))) return text;
  const std::size_t at = behind_heads(text, function->begin);
  const std::size_t line_start = at == 0 ? 0 : text.rfind('\n', at - 1) + 1;
  const auto line =
      static_cast<unsigned>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
  return text.substr(0, at) + (at == line_start ? "" : "\n") + line_directive(1, kGlueFile) +
         "#if defined(__clang__)\n__attribute__((noinline))\n#elif "
         "defined(__GNUC__)\n__attribute__((noipa))\n#endif\n" +
         line_directive(variant.definition_line + line, display) + padding(text, line_start, at) + text.substr(at);
}

}  // namespace hone::frontend
