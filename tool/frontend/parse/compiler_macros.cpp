#include "tool/frontend/parse/compiler_macros.h"

#include "tool/frontend/parse/word_list.h"

namespace hone::frontend {
namespace {

constexpr std::string_view kCompilerMacros[] = {"__GNUC_MINOR__",
                                                "__GNUC_PATCHLEVEL__",
                                                "__GNUC__",
                                                "__GNUG__",
                                                "__VERSION__",
                                                "__llvm__",
                                                "__has_builtin",
                                                "__has_constexpr_builtin",
                                                "__has_feature",
                                                "__has_extension",
                                                "__has_attribute",
                                                "__has_cpp_attribute",
                                                "__has_c_attribute",
                                                "__has_declspec_attribute",
                                                "__has_warning",
                                                "__is_identifier",
                                                "__is_target_arch",
                                                "__building_module",
                                                "__PIC__",
                                                "__pic__",
                                                "__PIE__",
                                                "__pie__",
                                                "__SANITIZE_ADDRESS__",
                                                "__SANITIZE_THREAD__",
                                                "__SANITIZE_UNDEFINED__",
                                                "__SANITIZE_HWADDRESS__",
                                                "__EXCEPTIONS",
                                                "__NO_INLINE__",
                                                "__OPTIMIZE_SIZE__",
                                                "_FORTIFY_SOURCE"};

// What the target is like, and who is neither gcc nor Clang.
constexpr std::string_view kSettledMacros[] = {"_OPENMP",
                                               "_MSC_VER",
                                               "_WIN32",
                                               "_WIN64",
                                               "_M_X64",
                                               "_M_IX86",
                                               "_LP64",
                                               "__LP64__",
                                               "__ELF__",
                                               "__linux__",
                                               "__linux",
                                               "__unix__",
                                               "__unix",
                                               "__APPLE__",
                                               "__MINGW32__",
                                               "__CYGWIN__",
                                               "__ANDROID__",
                                               "__INTEL_COMPILER",
                                               "__INTEL_LLVM_COMPILER",
                                               "__ICC",
                                               "__NVCOMPILER",
                                               "__PGI",
                                               "__IBMCPP__",
                                               "__CHAR_BIT__",
                                               "__CHAR_UNSIGNED__",
                                               "__cplusplus",
                                               "__OPTIMIZE__",
                                               "__FAST_MATH__",
                                               "__FINITE_MATH_ONLY__",
                                               "__STDC_HOSTED__",
                                               "__GLIBC__",
                                               "__GLIBC_MINOR__",
                                               "__POPCNT__",
                                               "__LZCNT__",
                                               "__ABM__",
                                               "__F16C__",
                                               "__FMA__",
                                               "__FMA4__",
                                               "__ADX__",
                                               "__aarch64__",
                                               "__arm__",
                                               "__x86_64__",
                                               "__x86_64",
                                               "__amd64__",
                                               "__amd64",
                                               "__i386__",
                                               "__i386",
                                               "__powerpc64__",
                                               "__riscv",
                                               "__ALTIVEC__",
                                               "__VSX__",
                                               "__CUDACC__",
                                               "__NVCC__",
                                               "__CUDA_ARCH__",
                                               "__GXX_RTTI",
                                               "__cpp_exceptions",
                                               "_GLIBCXX_PARALLEL"};
constexpr std::string_view kSettledPrefixes[] = {
    "__AVX",    "__SSE",    "__SSSE",    "__MMX",          "__BMI",    "__AES__",
    "__PCLMUL", "__VAES",   "__VPCLMUL", "__GFNI",         "__SHA",    "__AMX",
    "__ARM_",   "__riscv_", "__SIZEOF_", "__BYTE_ORDER__", "__ORDER_", "__FLOAT_WORD_ORDER__",
    "__FLT_",   "__DBL_",   "__LDBL_",   "__INT",          "__UINT",   "__SCHAR_",
    "__SHRT_",  "__LONG_",  "__SIZE_",   "__PTRDIFF_"};

}  // namespace

bool is_compiler_macro(std::string_view name) {
  return name.starts_with("__clang") || contains(kCompilerMacros, name);
}

bool is_settled_macro(std::string_view name) {
  const bool reserved =
      name.starts_with("__") || (name.size() > 1 && name[0] == '_' && name[1] >= 'A' && name[1] <= 'Z');
  return !reserved || contains(kSettledMacros, name) ||
         std::any_of(std::begin(kSettledPrefixes), std::end(kSettledPrefixes),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace hone::frontend
