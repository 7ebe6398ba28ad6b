#include "tool/lock/shadow_text.h"

#include <string_view>

#include "tool/frontend/place/rewriter.h"
#include "tool/model/candidate.h"

namespace hone::lock {
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
                                          "bad-function-cast",
                                          "c++-compat",
                                          "c90-c99-compat",
                                          "c99-c11-compat",
                                          "cast-align",
                                          "cast-qual",
                                          "comment",
                                          "conversion",
                                          "declaration-after-statement",
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
                                          "jump-misses-init",
                                          "int-in-bool-context",
                                          "logical-op",
                                          "long-long",
                                          "maybe-uninitialized",
                                          "misleading-indentation",
                                          "missing-declarations",
                                          "missing-field-initializers",
                                          "missing-prototypes",
                                          "nested-externs",
                                          "null-dereference",
                                          "old-style-cast",
                                          "old-style-definition",
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
                                          "strict-prototypes",
                                          "stringop-overflow",
                                          "suggest-attribute=const",
                                          "suggest-attribute=noreturn",
                                          "suggest-attribute=pure",
                                          "switch-default",
                                          "switch-enum",
                                          "tautological-compare",
                                          "traditional",
                                          "traditional-conversion",
                                          "type-limits",
                                          "undef",
                                          "uninitialized",
                                          "unknown-pragmas",
                                          "unsafe-loop-optimizations",
                                          "unsuffixed-float-constants",
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
                                          "variadic-macros",
                                          "vector-operation-performance",
                                          "vla",
                                          "zero-as-null-pointer-constant"};

// nvcc's own parser has numbers: what is never referenced, set, reached or has no effect; comparisons and conversions
// that change a sign or lose digits; attributes, qualifiers and pragmas that mean nothing to it; calls between host and
// device that are never made.
constexpr std::string_view kNvccWarnings =
    "39, 61, 63, 68, 69, 70, 111, 128, 161, 167, 174, 177, 186, 221, 222, 381, 546, 549, 550, 815, 1097, 1098, 1444, "
    "1675, 1835, 1866, 2361, 20011, 20012, 20013, 20014, 20015, 20050, 20054, 20208";

}  // namespace

frontend::Silence silence(bool nvcc) {
  frontend::Silence silence{"#pragma GCC diagnostic push\n", "#pragma GCC diagnostic pop\n"};
  for (std::string_view warning : kWarnings)
    silence.begin += "#pragma GCC diagnostic ignored \"-W" + std::string(warning) + "\"\n";
  if (!nvcc) return silence;
  silence.begin += "#pragma nv_diagnostic push\n#pragma nv_diag_suppress " + std::string(kNvccWarnings) + "\n";
  silence.end.insert(0, "#pragma nv_diagnostic pop\n");
  return silence;
}

std::string without_warnings(const std::string& variant, const std::string& display, bool nvcc) {
  const SplitSource split = split_includes(variant);
  const auto [begin, end] = silence(nvcc);
  std::string text = split.includes + begin;
  text += "#line " + std::to_string(split.definition_line) + " \"" + display + "\"\n";
  text += split.definition;
  if (text.back() != '\n') text += '\n';
  return text + end;
}

}  // namespace hone::lock
