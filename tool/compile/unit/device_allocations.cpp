#include "tool/compile/unit/device_allocations.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace hone::compile {
namespace {

// cudaMalloc has none of the words, but for its own; new and MemPool are parts of longer names that do no harm.
constexpr std::array words{
    "alloc",  "mempool", "thrust",  "cub::",  "cublas",          "cufft",   "cusparse", "cusolver",
    "curand", "cudnn",   "cutlass", "cute::", "memory_resource", "buffer<", "dlsym",    "##"};

constexpr std::array headers{"cuda_runtime.h",
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

bool has_new(std::string_view text) {
  for (std::size_t at = text.find("new"); at != std::string_view::npos; at = text.find("new", at + 1))
    if ((at == 0 || !is_word(text[at - 1])) && (at + 3 == text.size() || !is_word(text[at + 3]))) return true;
  return false;
}

// Of an #include in <> or "": a project's own header is looked into by itself.
bool has_unknown_include(std::string_view text) {
  for (std::size_t at = text.find("include"); at != std::string_view::npos; at = text.find("include", at + 1)) {
    const std::string_view line = text.substr(at, text.find('\n', at) - at);
    const std::size_t open = line.find('<'), close = line.find('>');
    if (open == std::string_view::npos || close == std::string_view::npos) continue;
    if (std::ranges::find(headers, line.substr(open + 1, close - open - 1)) == headers.end()) return true;
  }
  return false;
}

bool may_allocate(std::string text) {
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return std::ranges::any_of(words, [&](const char* word) { return text.find(word) != std::string::npos; }) ||
         has_new(text) || has_unknown_include(text);
}

}  // namespace

bool may_allocate_on_device(const FrozenUnit& unit, const std::string& source) {
  return may_allocate(source) || may_allocate(unit.definition) || may_allocate(unit.prologue) ||
         may_allocate(unit.opening) || std::ranges::any_of(unit.headers.headers, [](const HeaderTree::Header& header) {
           return may_allocate(header.text);
         });
}

}  // namespace hone::compile
