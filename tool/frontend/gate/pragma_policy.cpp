#include "tool/frontend/gate/pragma_policy.h"

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

std::string in_a_macro(const std::string& name) {
  return "'#pragma " + name + "' in a macro acts wherever that is used; write it where it is to act";
}

// Was something pushed that is in force wherever this place is compiled?
bool is_within(const std::vector<std::string>& pushed, const PragmaPlace& place) {
  return !pushed.empty() && place.condition.starts_with(pushed.back());
}

std::string pop(std::vector<std::string>& pushed, const std::string& name, const PragmaPlace& place) {
  if (pushed.empty()) return "'#pragma " + name + "' without a push";
  const bool same = pushed.back() == place.condition;
  pushed.pop_back();
  return same ? ""
              : "'#pragma " + name + "' stands under another condition than its push; write both under the same #if";
}

// target("avx2", "fma"): avx2,fma
std::string literals(const std::vector<std::string>& words) {
  std::string all;
  for (const std::string& word : words)
    if (word.size() > 2 && word.front() == '"') all += (all.empty() ? "" : ",") + word.substr(1, word.size() - 2);
  return all;
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

std::string PragmaPolicy::look(const PragmaWords& words, const PragmaPlace& place) {
  std::string why = object(words, place);
  if (original_.contains(words)) why.clear();  // what the original has, its copies may have
  return why;
}

std::string PragmaPolicy::object(const PragmaWords& words, const PragmaPlace& place) {
  const std::string first = word(words, 0), second = word(words, 1);
  if (first == "GCC") return look_at_gcc(words, place);
  if (first == "clang") return look_at_clang(words, place);
  if (first == "omp") return look_at_openmp(words);
  if (first == "STDC")
    return place.inside && !place.in_macro
               ? ""
               : "'#pragma STDC " + second + "' at file scope lasts to the file's end; put it into the function";
  if (first == "hone") return "'#pragma hone' is the original's; a candidate needs no annotation";
  if (first.empty() || is_one_of(first, kHints) || is_one_of(first, kNvccHints)) return "";
  return changes_others(first, second);
}

std::string PragmaPolicy::look_at_gcc(const std::vector<std::string>& words, const PragmaPlace& place) {
  const std::string second = word(words, 1);
  if (second == "ivdep" || second == "unroll" || second == "novector") return "";
  if (place.in_macro) return in_a_macro("GCC " + second);
  if (second == "push_options") return options_.push_back(place.condition), "";
  if (second == "pop_options") {
    std::string why = pop(options_, "GCC pop_options", place);
    for (std::size_t i = 0; i < targets_.size(); ++i)
      if (targets_[i].last == 0 && depths_[i] > options_.size()) targets_[i].last = place.line;
    return why;
  }
  if (second == "optimize" || second == "target") {
    if (!is_within(options_, place))
      return "'#pragma GCC " + second +
             "' could change code outside of the candidate; put it between "
             "'#pragma GCC push_options' and 'pop_options', or write __attribute__((" +
             second + "(…)))";
    if (second == "target") {
      targets_.push_back({place.line, 0, literals(words)});
      depths_.push_back(options_.size());
    }
    return "";
  }
  if (second == "diagnostic") return look_at_diagnostic(words, 2, place);
  return changes_others("GCC", second);
}

std::string PragmaPolicy::look_at_clang(const std::vector<std::string>& words, const PragmaPlace& place) {
  const std::string second = word(words, 1);
  if (second == "loop") return "";
  if (second == "fp")
    return place.inside && !place.in_macro
               ? ""
               : "'#pragma clang fp' at file scope lasts to the file's end; put it into the function";
  if (second == "diagnostic") return look_at_diagnostic(words, 2, place);
  return changes_others("clang", second);
}

std::string PragmaPolicy::look_at_diagnostic(const std::vector<std::string>& words, std::size_t at,
                                             const PragmaPlace& place) {
  const std::string what = word(words, at);
  if (place.in_macro) return in_a_macro("… diagnostic");
  if (what == "push") return diagnostics_.push_back(place.condition), "";
  if (what == "pop") return pop(diagnostics_, "diagnostic pop", place);
  return is_within(diagnostics_, place) ? "" : "a '#pragma … diagnostic' needs a push in front and a pop behind it";
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
  if (!options_.empty()) return "'#pragma GCC push_options' and 'pop_options' must come in pairs";
  if (!diagnostics_.empty()) return "'#pragma … diagnostic push' and 'pop' must come in pairs";
  return "";
}

}  // namespace hone::frontend
