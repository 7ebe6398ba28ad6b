#include "tool/lock/shadow_text.h"

#include <span>
#include <string_view>

#include "tool/frontend/place/rewriter.h"
#include "tool/model/candidate.h"
#include "tool/model/kernel_language.h"

namespace hone::lock {
namespace {

// Clang has one word for all. GCC has none: these are what -Wall, -Wextra, -Wpedantic and the usual additions turn on
// and generated loops run into. -Wpragmas first: a name that a compiler does not know is its business to ignore. GCC 13
// says all the same of a name that it knows of another language: those have lists of their own.
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
                                          "variadic-macros",
                                          "vector-operation-performance",
                                          "vla"};

constexpr std::string_view kWarningsOfC[] = {
    "bad-function-cast",           "c++-compat",        "c90-c99-compat",     "c99-c11-compat",
    "declaration-after-statement", "jump-misses-init",  "missing-prototypes", "nested-externs",
    "old-style-definition",        "strict-prototypes", "traditional",        "traditional-conversion",
    "unsuffixed-float-constants"};
constexpr std::string_view kWarningsOfCpp[] = {"old-style-cast", "useless-cast", "zero-as-null-pointer-constant"};

// nvcc's own parser has numbers: what is never referenced, set, reached or has no effect; comparisons and conversions
// that change a sign or lose digits; attributes, qualifiers and pragmas that mean nothing to it; calls between host and
// device that are never made.
constexpr std::string_view kNvccWarnings =
    "39, 61, 63, 68, 69, 70, 111, 128, 161, 167, 174, 177, 186, 221, 222, 381, 546, 549, 550, 815, 1097, 1098, 1444, "
    "1675, 1835, 1866, 2361, 20011, 20012, 20013, 20014, 20015, 20050, 20054, 20208";

}  // namespace

frontend::Silence silence(const KernelIdentity& kernel, bool nvcc) {
  frontend::Silence silence{"#pragma GCC diagnostic push\n", "#pragma GCC diagnostic pop\n"};
  const auto ignore = [&](std::span<const std::string_view> warnings) {
    for (const std::string_view warning : warnings)
      silence.begin += "#pragma GCC diagnostic ignored \"-W" + std::string(warning) + "\"\n";
  };
  ignore(kWarnings);
  ignore(is_c(kernel) ? std::span<const std::string_view>(kWarningsOfC) : kWarningsOfCpp);
  if (!nvcc) return silence;
  silence.begin += "#pragma nv_diagnostic push\n#pragma nv_diag_suppress " + std::string(kNvccWarnings) + "\n";
  silence.end.insert(0, "#pragma nv_diagnostic pop\n");
  return silence;
}

std::string without_warnings(const KernelIdentity& kernel, const std::string& variant, const std::string& display,
                             bool nvcc) {
  const SplitSource split = split_includes(variant);
  const auto [begin, end] = silence(kernel, nvcc);
  std::string text = split.includes + begin;
  text += "#line " + std::to_string(split.definition_line) + " \"" + display + "\"\n";
  text += split.definition;
  if (text.back() != '\n') text += '\n';
  return text + end;
}

}  // namespace hone::lock
