#include "tool/tune/shadow_text.h"

#include <string_view>

#include "tool/model/candidate.h"

namespace hone::tune {
namespace {

// Clang has one word for all. GCC has none: these are what -Wall, -Wextra, -Wpedantic and the usual additions turn on
// and generated loops run into. -Wpragmas first: a name that a compiler does not know is its business to ignore.
constexpr std::string_view kWarnings[] = {"pragmas",
                                          "unknown-warning-option",
                                          "everything",
                                          "pedantic",
                                          "aggressive-loop-optimizations",
                                          "alloca",
                                          "arith-conversion",
                                          "array-bounds",
                                          "attributes",
                                          "cast-align",
                                          "cast-qual",
                                          "comment",
                                          "conversion",
                                          "deprecated-declarations",
                                          "disabled-optimization",
                                          "double-promotion",
                                          "duplicated-branches",
                                          "duplicated-cond",
                                          "empty-body",
                                          "float-conversion",
                                          "float-equal",
                                          "ignored-attributes",
                                          "ignored-qualifiers",
                                          "implicit-fallthrough",
                                          "inline",
                                          "int-in-bool-context",
                                          "logical-op",
                                          "long-long",
                                          "maybe-uninitialized",
                                          "misleading-indentation",
                                          "missing-declarations",
                                          "missing-field-initializers",
                                          "null-dereference",
                                          "old-style-cast",
                                          "overflow",
                                          "padded",
                                          "parentheses",
                                          "psabi",
                                          "redundant-decls",
                                          "restrict",
                                          "shadow",
                                          "sign-compare",
                                          "sign-conversion",
                                          "strict-aliasing",
                                          "strict-overflow",
                                          "stringop-overflow",
                                          "suggest-attribute=const",
                                          "suggest-attribute=noreturn",
                                          "suggest-attribute=pure",
                                          "switch-default",
                                          "switch-enum",
                                          "tautological-compare",
                                          "type-limits",
                                          "undef",
                                          "uninitialized",
                                          "unknown-pragmas",
                                          "unsafe-loop-optimizations",
                                          "unused-but-set-parameter",
                                          "unused-but-set-variable",
                                          "unused-function",
                                          "unused-label",
                                          "unused-local-typedefs",
                                          "unused-macros",
                                          "unused-parameter",
                                          "unused-value",
                                          "unused-variable",
                                          "useless-cast",
                                          "vector-operation-performance",
                                          "vla",
                                          "zero-as-null-pointer-constant"};

std::string silence() {
  std::string text = "#pragma GCC diagnostic push\n";
  for (std::string_view warning : kWarnings)
    text += "#pragma GCC diagnostic ignored \"-W" + std::string(warning) + "\"\n";
  return text;
}

}  // namespace

std::string without_warnings(const std::string& variant, const std::string& display) {
  const SplitSource split = split_includes(variant);
  std::string text = split.includes;
  text += silence();
  text += "#line " + std::to_string(split.definition_line) + " \"" + display + "\"\n";
  text += split.definition;
  if (text.back() != '\n') text += '\n';
  text += "#pragma GCC diagnostic pop\n";
  return text;
}

}  // namespace hone::tune
