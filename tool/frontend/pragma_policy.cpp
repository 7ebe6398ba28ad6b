#include "tool/frontend/pragma_policy.h"

#include <algorithm>
#include <string_view>

namespace hone::frontend {
namespace {

std::string word(const std::vector<std::string>& words, std::size_t index) {
  return index < words.size() ? words[index] : std::string();
}

template <std::size_t N>
bool is_one_of(const std::string& word, const std::string_view (&words)[N]) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

std::string changes_others(const std::string& first, const std::string& second) {
  return "'#pragma " + first + (second.empty() ? "" : " " + second) + "' could change code outside of the candidate";
}

// Directives of OpenMP that start threads, and those that last beyond the statement or reach other devices.
constexpr std::string_view kThreading[] = {"parallel", "task",      "taskloop", "sections",
                                           "teams",    "taskgroup", "taskwait"};
constexpr std::string_view kRefusedOpenMp[] = {"threadprivate", "requires", "target",  "allocate", "assumes",
                                               "begin",         "end",      "interop", "dispatch", "groupprivate"};
// Other compilers' hints: without effect here, and without harm.
constexpr std::string_view kHints[] = {
    "unroll",     "nounroll",  "unroll_and_jam", "nounroll_and_jam", "vector",          "novector",
    "loop_count", "ivdep",     "simd",           "inline",           "forceinline",     "noinline",
    "region",     "endregion", "prefetch",       "noprefetch",       "distribute_point"};

// Which of its warnings nvcc leaves out.
constexpr std::string_view kNvccHints[] = {"nv_diag_suppress", "nv_diag_default", "nv_diagnostic",
                                           "nv_exec_check_disable", "hd_warning_disable"};

}  // namespace

std::string PragmaPolicy::look(const std::vector<std::string>& words, bool inside) {
  const std::string first = word(words, 0), second = word(words, 1);
  if (first == "GCC") return look_at_gcc(words);
  if (first == "clang") return look_at_clang(words, inside);
  if (first == "omp") return look_at_openmp(words);
  if (first == "STDC")
    return inside ? ""
                  : "'#pragma STDC " + second + "' at file scope lasts to the file's end; put it into the function";
  if (first == "hone") return "'#pragma hone' is the original's; a candidate needs no annotation";
  if (first.empty() || is_one_of(first, kHints) || is_one_of(first, kNvccHints)) return "";
  return changes_others(first, second);
}

std::string PragmaPolicy::look_at_gcc(const std::vector<std::string>& words) {
  const std::string second = word(words, 1);
  if (second == "ivdep" || second == "unroll" || second == "novector") return "";
  if (second == "push_options") return ++options_, "";
  if (second == "pop_options") return --options_ < 0 ? "'#pragma GCC pop_options' without a push" : "";
  if (second == "optimize" || second == "target")
    return options_ > 0 ? ""
                        : "'#pragma GCC " + second +
                              "' could change code outside of the candidate; put it between "
                              "'#pragma GCC push_options' and 'pop_options', or write __attribute__((" +
                              second + "(…)))";
  if (second == "diagnostic") return look_at_diagnostic(words, 2);
  return changes_others("GCC", second);
}

std::string PragmaPolicy::look_at_clang(const std::vector<std::string>& words, bool inside) {
  const std::string second = word(words, 1);
  if (second == "loop") return "";
  if (second == "fp")
    return inside ? "" : "'#pragma clang fp' at file scope lasts to the file's end; put it into the function";
  if (second == "diagnostic") return look_at_diagnostic(words, 2);
  return changes_others("clang", second);
}

std::string PragmaPolicy::look_at_diagnostic(const std::vector<std::string>& words, std::size_t at) {
  const std::string what = word(words, at);
  if (what == "push") return ++diagnostics_, "";
  if (what == "pop") return --diagnostics_ < 0 ? "'#pragma diagnostic pop' without a push" : "";
  return diagnostics_ > 0 ? "" : "a '#pragma … diagnostic' needs a push in front and a pop behind it";
}

std::string PragmaPolicy::look_at_openmp(const std::vector<std::string>& words) const {
  for (std::size_t i = 1; i < words.size() && words[i] != "("; ++i) {
    if (is_one_of(words[i], kRefusedOpenMp))
      return words[i] == "target" || words[1] != "declare" || words[i] == "end"
                 ? "'#pragma omp " + words[i] + "' could change code outside of the candidate, or leaves the processor"
                 : "";
    if (!threads_ && is_one_of(words[i], kThreading))
      return "'#pragma omp " + words[i] +
             "' starts threads, which this kernel does not allow (threads(k) is not in its "
             "annotation); '#pragma omp simd' is fine";
  }
  return "";
}

std::string PragmaPolicy::finish() const {
  if (options_ != 0) return "'#pragma GCC push_options' and 'pop_options' must come in pairs";
  if (diagnostics_ != 0) return "'#pragma … diagnostic push' and 'pop' must come in pairs";
  return "";
}

}  // namespace hone::frontend
