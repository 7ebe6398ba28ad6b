#include "tool/compile/unit/device_allocations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace hone::compile {
namespace {

// In small letters; "alloc" is in cudaMalloc, cuMemAlloc, malloc and allocator. The last two paste names together.
constexpr std::array words{
    "alloc",  "mempool", "cumem",   "cuarray", "thrust",          "cub::",   "cublas", "cufft", "cusparse", "cusolver",
    "curand", "cudnn",   "cutlass", "cute::",  "memory_resource", "buffer<", "dlsym",  "##",    "%:%:"};

// Whose functions a text has to name by those words to get memory.
constexpr std::array known_headers{"cuda_runtime.h",
                                   "cuda_runtime_api.h",
                                   "cuda_fp16.h",
                                   "cuda_bf16.h",
                                   "cuda_fp8.h",
                                   "cooperative_groups.h",
                                   "cooperative_groups/reduce.h",
                                   "cooperative_groups/scan.h",
                                   "cooperative_groups/memcpy_async.h",
                                   "cuda_pipeline.h",
                                   "cuda/pipeline",
                                   "cuda/barrier",
                                   "cuda/std/limits",
                                   "cuda/std/type_traits",
                                   "mma.h",
                                   "math_constants.h",
                                   "device_functions.h",
                                   "device_launch_parameters.h",
                                   "vector_types.h",
                                   "vector_functions.h",
                                   "algorithm",
                                   "array",
                                   "cassert",
                                   "cfloat",
                                   "climits",
                                   "cmath",
                                   "cstddef",
                                   "cstdint",
                                   "cstdio",
                                   "cstdlib",
                                   "cstring",
                                   "limits",
                                   "numeric",
                                   "type_traits",
                                   "utility",
                                   "assert.h",
                                   "float.h",
                                   "limits.h",
                                   "math.h",
                                   "stddef.h",
                                   "stdint.h",
                                   "stdio.h",
                                   "stdlib.h",
                                   "string.h",
                                   "hone/hone.h"};

bool is_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

// In small letters, and lines that a backslash continues put together.
std::string plain(const std::string& text) {
  std::string small;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t behind = text[i] == '\\' ? text.find_first_not_of(" \t\r", i + 1) : std::string::npos;
    if (behind != std::string::npos && text[behind] == '\n')
      i = behind;
    else
      small += static_cast<char>(std::tolower(static_cast<unsigned char>(text[i])));
  }
  return small;
}

bool has_new(std::string_view text) {
  for (std::size_t at = text.find("new"); at != std::string_view::npos; at = text.find("new", at + 1))
    if ((at == 0 || !is_word(text[at - 1])) && (at + 3 == text.size() || !is_word(text[at + 3]))) return true;
  return false;
}

bool is_of_project(std::string_view name, const HeaderTree& headers) {
  const std::string end = "/" + std::string(name);
  return std::ranges::any_of(headers.headers,
                             [&](const HeaderTree::Header& header) { return header.path.ends_with(end); });
}

// In <>; what stands in "" is the project's.
bool has_unknown_include(std::string_view text, const HeaderTree& headers) {
  for (std::size_t at = text.find("include"); at != std::string_view::npos; at = text.find("include", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::size_t open = line.find('<'), close = line.find('>');
    if (open == std::string_view::npos || close == std::string_view::npos) continue;
    const std::string_view name = line.substr(open + 1, close - open - 1);
    if (std::ranges::find(known_headers, name) == known_headers.end() && !is_of_project(name, headers)) return true;
  }
  return false;
}

bool is_forced_include(const std::string& argument) {
  return argument.starts_with("-include") || argument.starts_with("--include=") ||
         argument.starts_with("--pre-include") || argument.starts_with("-imacros");
}

}  // namespace

bool may_allocate_on_device(const std::string& text, const HeaderTree& headers) {
  const std::string small = plain(text);
  return std::ranges::any_of(words, [&](const char* word) { return small.find(word) != std::string::npos; }) ||
         has_new(small) || has_unknown_include(text, headers);
}

bool may_allocate_on_device(const KernelUnit& unit, const HeaderTree& headers,
                            const std::vector<std::string>& arguments) {
  const auto may = [&](const std::string& text) { return may_allocate_on_device(text, headers); };
  return may(unit.prologue) || may(unit.opening) || may(unit.definition) || may(unit.closing) ||
         std::ranges::any_of(headers.headers, [&](const HeaderTree::Header& header) { return may(header.text); }) ||
         std::ranges::any_of(arguments, is_forced_include);
}

bool may_allocate_on_device(const FrozenUnit& unit, const std::string& source) {
  return unit.may_allocate || may_allocate_on_device(source, unit.headers);
}

}  // namespace hone::compile
