#include "tool/compile/object/needed_names.h"

#include <algorithm>
#include <array>
#include <span>
#include <string>

namespace hone::compile {
namespace {

// libm's, without what follows for float, long double, _FloatN, and what -ffinite-math-only once called.
constexpr std::string_view kMathematics[] = {
    "acos",      "acosh",  "asin",      "asinh",     "atan",        "atan2", "atanh",     "cabs",   "cacos", "cacosh",
    "carg",      "casin",  "casinh",    "catan",     "catanh",      "cbrt",  "ccos",      "ccosh",  "ceil",  "cexp",
    "cimag",     "clog",   "clog10",    "conj",      "copysign",    "cos",   "cosh",      "cpow",   "cproj", "creal",
    "csin",      "csinh",  "csqrt",     "ctan",      "ctanh",       "drem",  "erf",       "erfc",   "exp",   "exp10",
    "exp2",      "expm1",  "fabs",      "fdim",      "finite",      "floor", "fma",       "fmax",   "fmin",  "fmod",
    "frexp",     "gamma",  "hypot",     "ilogb",     "isinf",       "isnan", "j0",        "j1",     "jn",    "ldexp",
    "lgamma",    "llrint", "llround",   "log",       "log10",       "log1p", "log2",      "logb",   "lrint", "lround",
    "modf",      "nan",    "nearbyint", "nextafter", "nexttoward",  "pow",   "remainder", "remquo", "rint",  "round",
    "roundeven", "scalb",  "scalbln",   "scalbn",    "significand", "sin",   "sincos",    "sinh",   "sqrt",  "tan",
    "tanh",      "tgamma", "trunc",     "y0",        "y1",          "yn"};
constexpr std::string_view kMathematicsEnds[] = {"", "f", "l", "f16", "f32", "f64", "f128", "f32x", "f64x"};

constexpr std::string_view kExactly[] = {
    // memory
    "memcpy", "memmove", "memset", "memcmp", "memchr", "memrchr", "mempcpy", "bcmp", "bcopy", "bzero", "strlen",
    "strcmp", "wmemcpy", "wmemmove", "wmemset", "wmemcmp", "wmemchr", "__memcpy_chk", "__memmove_chk", "__memset_chk",
    "__mempcpy_chk", "malloc", "calloc", "realloc", "free", "aligned_alloc", "posix_memalign", "memalign",
    "reallocarray", "malloc_usable_size",
    // numbers of the C library
    "abs", "labs", "llabs", "imaxabs", "div", "ldiv", "lldiv", "imaxdiv", "qsort", "bsearch", "feclearexcept",
    "fegetenv", "fegetexceptflag", "fegetround", "feholdexcept", "feraiseexcept", "fesetenv", "fesetexceptflag",
    "fesetround", "fetestexcept", "feupdateenv", "__fpclassify", "__fpclassifyf", "__fpclassifyl", "__signbit",
    "__signbitf", "__signbitl", "__isnan", "__isinf", "__finite",
    // the language's run time
    "abort", "__assert_fail", "__stack_chk_fail", "__stack_chk_guard", "__tls_get_addr", "_GLOBAL_OFFSET_TABLE_",
    "__dso_handle", "__gxx_personality_v0", "__gcc_personality_v0", "__emutls_get_address", "__libc_single_threaded",
    "__cpu_model", "__cpu_features2", "__cpu_indicator_init", "__init_cpu_features_resolver", "__aarch64_cpu_features",
    "__morestack", "__clang_call_terminate", "_ZSt9terminatev", "_ZSt7nothrow"};

constexpr std::string_view kBeginnings[] = {
    "_ZGVb", "_ZGVc", "_ZGVd", "_ZGVe", "_ZGVn", "_ZGVs",  // vector mathematics
    "_Znw", "_Zna", "_Zdl", "_Zda",                        // operator new and delete
    "__cxa_", "_Unwind_", "__aarch64_", "__atomic_", "__sync_", "_ZTVN10__cxxabiv1", "_ZTI", "_ZTVSt", "_ZTSSt",
    // containers, exceptions and numbers of the C++ library
    "_ZNSt8__detail", "_ZNKSt8__detail", "_ZSt18_Rb_tree_", "_ZSt29_Rb_tree_", "_ZSt28_Rb_tree_", "_ZSt20_Rb_tree_",
    "_ZNSt9exception", "_ZNKSt9exception", "_ZNSt9bad_alloc", "_ZNKSt9bad_alloc", "_ZNSt11logic_error",
    "_ZNSt12length_error", "_ZNSt12out_of_range", "_ZNSt16invalid_argument", "_ZNSt12domain_error",
    "_ZNSt13runtime_error", "_ZNSt11range_error", "_ZNSt14overflow_error", "_ZNSt15underflow_error",
    "_ZNSt20bad_array_new_length", "_ZNSt17bad_function_call", "_ZNSt18bad_variant_access", "_ZNSt12bad_any_cast",
    "_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string", "_ZNSt3pmr", "_ZNKSt3pmr", "_ZNSt12__basic_string",
    "_ZSt11_Hash_bytes", "_ZSt15_Fnv_hash_bytes", "_ZNSt15__exception_ptr", "_ZNKSt15__exception_ptr",
    "_ZNSt9type_info", "_ZNKSt9type_info", "_ZNSt19_Sp_make_shared_tag", "_ZN11__gnu_debug", "_ZNK11__gnu_debug",
    "__dynamic_cast", "_ZSt17rethrow_exception", "_ZSt17current_exception", "_ZNSt10_Sp_locker",
    // names of libc++
    "_ZNSt3__112basic_string", "_ZNKSt3__112basic_string", "_ZNSt3__122__libcpp_verbose_abort",
    "_ZNSt3__112__next_prime", "_ZNSt3__119__shared_weak_count", "_ZNSt3__114__shared_count",
    // of projects that are always built with these
    "__asan_", "__ubsan_", "__tsan_", "__msan_", "__gcov_", "__llvm_profile_", "__cyg_profile_"};

constexpr std::string_view kThreads[] = {"GOMP_",
                                         "omp_",
                                         "__kmpc_",
                                         "pthread_",
                                         "__pthread_",
                                         "__gthread",
                                         "sem_",
                                         "sched_yield",
                                         "_ZNSt6thread",
                                         "_ZNKSt6thread",
                                         "_ZNSt18condition_variable",
                                         "_ZNSt22condition_variable_any",
                                         "_ZNSt3_V2",
                                         "_ZNSt13__future_base",
                                         "_ZNKSt13__future_base",
                                         "_ZNSt12future_error",
                                         "_ZNSt28__atomic_futex_unsigned_base",
                                         "_ZSt11__once_call",
                                         "_ZSt15__once_callable",
                                         "__once_proxy",
                                         "_ZSt16__get_once_mutex",
                                         "_ZSt27__set_once_functor_lock_ptr",
                                         "_ZSt20__throw_system_error",
                                         "_ZNSt12system_error",
                                         "_ZN3tbb",
                                         "_ZSt15future_category",
                                         "syscall"};  // how the library waits for an atomic

// How libgcc and compiler-rt name arithmetic that the processor has none for: __udivti3, __extendhfsf2.
constexpr std::string_view kArithmetic[] = {
    "add",  "sub",  "mul",    "div",   "udiv", "mod",      "umod",   "udivmod", "divmod", "neg",
    "cmp",  "ucmp", "clz",    "clrsb", "ctz",  "popcount", "parity", "bswap",   "ffs",    "ashl",
    "ashr", "lshr", "extend", "trunc", "fix",  "fixuns",   "float",  "floatun", "powi",   "eq",
    "ne",   "lt",   "le",     "gt",    "ge",   "unord",    "muld",   "muls",    "bid"};
constexpr std::string_view kModes[] = {"qi", "hi", "si", "di", "ti", "hf", "bf", "sf", "df", "tf",
                                       "xf", "hc", "sc", "dc", "tc", "xc", "sd", "dd", "td"};

bool is_one_of(std::span<const std::string_view> names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool begins_with_one_of(std::span<const std::string_view> beginnings, std::string_view name) {
  return std::ranges::any_of(beginnings, [&](std::string_view one) { return name.starts_with(one); });
}

bool is_mathematics(std::string_view name) {
  if (name.starts_with("__") && name.ends_with("_finite")) name = name.substr(2, name.size() - 9);
  if (name == "lgamma_r" || name == "lgammaf_r" || name == "lgammal_r") return true;
  return std::ranges::any_of(kMathematicsEnds, [&](std::string_view end) {
    return name.ends_with(end) && is_one_of(kMathematics, name.substr(0, name.size() - end.size()));
  });
}

bool is_arithmetic(std::string_view name) {
  if (!name.starts_with("__") || name.size() < 6 || name.size() > 16) return false;
  name.remove_prefix(2);
  if (name.back() >= '2' && name.back() <= '5') name.remove_suffix(1);
  unsigned modes = 0;
  for (; name.size() > 2 && modes < 2 && is_one_of(kModes, name.substr(name.size() - 2)); ++modes)
    name.remove_suffix(2);
  return modes > 0 && is_one_of(kArithmetic, name);
}

// Is it a function that reports a violated precondition, such as _ZSt20__throw_length_errorPKc or
// _ZSt21__glibcxx_assert_fail…?
bool is_a_complaint(std::string_view name) {
  if (!name.starts_with("_ZSt")) return false;
  name.remove_prefix(4);
  name.remove_prefix(std::min(name.find_first_not_of("0123456789"), name.size()));
  return name.starts_with("__throw_") || name.starts_with("__glibcxx_assert");
}

}  // namespace

bool is_of_the_library(std::string_view symbol) {
  constexpr std::string_view inside[] = {"St",       "NSt",       "NKSt",  "NVSt",   "N9__gnu_cxx", "NK9__gnu_cxx",
                                         "N6__pstl", "NK6__pstl", "NSa",   "NKSa",   "NSs",         "NKSs",
                                         "TVNSt",    "TINSt",     "TSNSt", "TVSt",   "TISt",        "TSSt",
                                         "ZNSt",     "ZNKSt",     "ZSt",   "GVZNSt", "GVZSt",       "GVNSt"};
  return symbol.starts_with("_Z") && begins_with_one_of(inside, symbol.substr(2));
}

bool is_for_computing(std::string_view symbol) {
  return is_one_of(kExactly, symbol) || begins_with_one_of(kBeginnings, symbol) || is_mathematics(symbol) ||
         is_arithmetic(symbol) || is_a_complaint(symbol);
}

bool is_for_threads(std::string_view symbol) {
  return begins_with_one_of(kThreads, symbol);
}

}  // namespace hone::compile
