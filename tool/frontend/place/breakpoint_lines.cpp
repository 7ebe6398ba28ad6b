#include "tool/frontend/place/breakpoint_lines.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "tool/frontend/parse/line_directive.h"
#include "tool/frontend/place/variant_functions.h"

namespace hone::frontend {
namespace {

// A directive may stand between any two lines but those that are one to the compiler.
bool can_be_cut(std::string_view header) {
  return header.find("\\\n") == header.npos && header.find('#') == header.npos && header.find("R\"") == header.npos &&
         header.find("/*") == header.npos;
}

// Each line under the one number.
std::string on_one_line(std::string_view header, const std::string& directive) {
  std::string out = directive;
  for (const char c : header) {
    out += c;
    if (c == '\n') out += directive;
  }
  return out;
}

}  // namespace

std::string with_breakpoint_lines(const KernelIdentity& kernel, const std::string& variant, const FilePlace& last,
                                  const std::string& display) {
  const std::optional<VariantFunction> function = kernel_function(kernel, variant);
  if (!function) return variant;
  const std::size_t line_begin = function->begin == 0 ? 0 : variant.rfind('\n', function->begin - 1) + 1;
  const std::size_t body = function->body + 1;
  const std::string_view all = variant, header = all.substr(function->begin, body - function->begin);
  const bool own_line = all.find_first_not_of(" \t", line_begin) == function->begin;
  if (!own_line || !can_be_cut(header)) return variant;

  const auto line = static_cast<unsigned>(1 + std::ranges::count(all.substr(0, body), '\n'));
  std::string out(all.substr(0, line_begin));
  out += on_one_line(header, line_directive(last.line, last.file)) + '\n';
  out += line_directive(line, display) + padding(all, all.rfind('\n', body - 1) + 1, body);
  return out += all.substr(body);
}

}  // namespace hone::frontend
