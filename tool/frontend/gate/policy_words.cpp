#include "tool/frontend/gate/policy_words.h"

#include <algorithm>
#include <iterator>

#include "tool/frontend/parse/word_list.h"

namespace hone::frontend {
namespace {

constexpr std::string_view kHeaders[] = {
    // the language and containers
    "algorithm", "any", "array", "bit", "bitset", "cassert", "cfloat", "cinttypes", "climits", "compare", "concepts",
    "cstdalign", "cstdbool", "cstddef", "cstdint", "cstdlib", "cstring", "deque", "expected", "forward_list",
    "functional", "initializer_list", "iterator", "limits", "list", "map", "memory", "memory_resource", "new",
    "optional", "queue", "ranges", "scoped_allocator", "set", "span", "stack", "stdexcept", "string", "string_view",
    "tuple", "type_traits", "typeindex", "typeinfo", "unordered_map", "unordered_set", "utility", "valarray", "variant",
    "vector", "version", "execution", "mdspan", "flat_map", "flat_set", "inplace_vector", "atomic",
    // numbers
    "ccomplex", "cfenv", "cmath", "complex", "ctgmath", "numbers", "numeric", "random", "ratio", "stdfloat", "simd",
    "experimental/simd", "linalg",
    // C's
    "assert.h", "complex.h", "fenv.h", "float.h", "inttypes.h", "iso646.h", "limits.h", "math.h", "stdalign.h",
    "stdbool.h", "stdckdint.h", "stddef.h", "stdint.h", "stdlib.h", "string.h", "strings.h", "tgmath.h", "alloca.h",
    "malloc.h", "stdatomic.h", "quadmath.h",
    // processors
    "immintrin.h", "x86intrin.h", "x86gprintrin.h", "emmintrin.h", "xmmintrin.h", "pmmintrin.h", "tmmintrin.h",
    "smmintrin.h", "nmmintrin.h", "wmmintrin.h", "ammintrin.h", "bmiintrin.h", "bmi2intrin.h", "popcntintrin.h",
    "lzcntintrin.h", "mmintrin.h", "avxintrin.h", "avx2intrin.h", "avx512fintrin.h", "fmaintrin.h", "f16cintrin.h",
    "mm_malloc.h", "arm_neon.h", "arm_sve.h", "arm_acle.h", "arm_fp16.h", "arm_bf16.h", "altivec.h", "riscv_vector.h",
    // Hone's
    "hone/hone.h"};

constexpr std::string_view kThreadHeaders[] = {"thread", "mutex",     "condition_variable", "future", "barrier",
                                               "latch",  "semaphore", "shared_mutex",       "omp.h",  "stop_token"};

// Attributes of functions, variables, types and statements that leave everything else as it is.
constexpr std::string_view kAttributes[] = {"access",
                                            "aligned",
                                            "alloc_align",
                                            "alloc_size",
                                            "always_inline",
                                            "artificial",
                                            "assume",
                                            "assume_aligned",
                                            "carries_dependency",
                                            "cold",
                                            "const",
                                            "deprecated",
                                            "designated_init",
                                            "diagnose_if",
                                            "error",
                                            "ext_vector_type",
                                            "fallthrough",
                                            "flatten",
                                            "format",
                                            "gnu_inline",
                                            "hot",
                                            "leaf",
                                            "likely",
                                            "loop_unroll",
                                            "malloc",
                                            "may_alias",
                                            "min_vector_width",
                                            "mode",
                                            "neon_vector_type",
                                            "no_builtin",
                                            "no_icf",
                                            "no_reorder",
                                            "no_stack_protector",
                                            "no_unique_address",
                                            "noalias",
                                            "noclone",
                                            "nodiscard",
                                            "noescape",
                                            "noinline",
                                            "noipa",
                                            "nonnull",
                                            "nonstring",
                                            "noplt",
                                            "noreturn",
                                            "nothrow",
                                            "no_split_stack",
                                            "optimize",
                                            "packed",
                                            "preferred_type",
                                            "pure",
                                            "reproducible",
                                            "returns_nonnull",
                                            "simd",
                                            "stack_protect",
                                            "target",
                                            "target_clones",
                                            "unlikely",
                                            "unsequenced",
                                            "unused",
                                            "maybe_unused",
                                            "used",
                                            "vector_size",
                                            "warn_if_not_aligned",
                                            "warn_unused_result",
                                            "warning",
                                            "zero_call_used_regs",
                                            "musttail",
                                            "nomerge",
                                            "flag_enum",
                                            "enum_extensibility",
                                            "convergent",
                                            "opencl_unroll_hint",
                                            "code_align",
                                            "trivial_abi",
                                            "optnone",
                                            "minsize",
                                            "not_tail_called",
                                            "internal_linkage",
                                            "unroll",
                                            "ivdep",
                                            "vectorize",
                                            "null_terminated_string_arg",
                                            "sentinel",
                                            "uninitialized",
                                            "strict_flex_array"};

constexpr std::string_view kRefusedAttributes[] = {"constructor",
                                                   "destructor",
                                                   "alias",
                                                   "ifunc",
                                                   "weak",
                                                   "weakref",
                                                   "section",
                                                   "visibility",
                                                   "cleanup",
                                                   "init_priority",
                                                   "naked",
                                                   "interrupt",
                                                   "symver",
                                                   "abi_tag",
                                                   "tls_model",
                                                   "common",
                                                   "copy",
                                                   "retain",
                                                   "externally_visible",
                                                   "returns_twice",
                                                   "dllexport",
                                                   "dllimport",
                                                   "selectany",
                                                   "no_sanitize",
                                                   "asm"};

constexpr std::string_view kVolatileMacros[] = {"__DATE__", "__TIME__",      "__TIMESTAMP__", "__COUNTER__",
                                                "__FILE__", "__FILE_NAME__", "__BASE_FILE__", "__INCLUDE_LEVEL__"};

// The ends of the paths of C++ headers nothing of which a kernel needs.
constexpr std::string_view kForbidden[] = {"/iostream",
                                           "/ostream",
                                           "/istream",
                                           "/fstream",
                                           "/sstream",
                                           "/spanstream",
                                           "/syncstream",
                                           "/filesystem",
                                           "/chrono",
                                           "/cstdio",
                                           "/ctime",
                                           "/csignal",
                                           "/csetjmp",
                                           "/print",
                                           "/stacktrace",
                                           "/locale",
                                           "/iomanip",
                                           "/ios",
                                           "/streambuf",
                                           "/bits/chrono.h",
                                           "/bits/chrono_io.h",
                                           "/bits/ios_base.h",
                                           "/bits/localefwd.h",
                                           "/bits/locale_classes.h",
                                           "/bits/ostream_insert.h",
                                           "/bits/fstream.tcc",
                                           "/bits/basic_file.h",
                                           "/ext/stdio_filebuf.h",
                                           "/ext/stdio_sync_filebuf.h",
                                           "/bits/this_thread_sleep.h",
                                           "/debug/debug.h",
                                           "/cxxabi.h",
                                           "/bits/cxxabi_forced.h",
                                           "/coroutine"};
constexpr std::string_view kForbiddenParts[] = {
    "/bits/fs_",           "/experimental/bits/fs_",  "/experimental/internet", "/experimental/socket",
    "/experimental/timer", "/experimental/io_context"};
constexpr std::string_view kThreadEnds[] = {"/pthread.h",
                                            "/sched.h",
                                            "/thread",
                                            "/mutex",
                                            "/future",
                                            "/condition_variable",
                                            "/threads.h",
                                            "/shared_mutex",
                                            "/barrier",
                                            "/latch",
                                            "/semaphore",
                                            "/bits/std_thread.h",
                                            "/bits/std_mutex.h",
                                            "/bits/unique_lock.h",
                                            "/bits/semaphore_base.h",
                                            "/omp.h"};
// C's headers that compute, by the end of their path; others ask the system for something.
constexpr std::string_view kCHeaders[] = {
    "/math.h",   "/complex.h", "/tgmath.h",   "/fenv.h",  "/stdlib.h",   "/string.h", "/strings.h",
    "/assert.h", "/stdint.h",  "/inttypes.h", "/float.h", "/limits.h",   "/stddef.h", "/alloca.h",
    "/malloc.h", "/errno.h",   "/wchar.h",    "/ctype.h", "/byteswap.h", "/endian.h", "/features.h"};
constexpr std::string_view kCParts[] = {"/bits/math",        "/bits/cmathcalls", "/bits/stdlib", "/bits/string",
                                        "/bits/types",       "/bits/fenv",       "/bits/wchar",  "/bits/byteswap",
                                        "/bits/uintn",       "/bits/endian",     "/bits/floatn", "/bits/iscanonical",
                                        "/bits/select-decl", "/hone/hone.h"};
// Wherever they are declared.
constexpr std::string_view kForbiddenNames[] = {
    // the process and its surroundings
    "system", "exit", "_Exit", "quick_exit", "atexit", "at_quick_exit", "on_exit", "getenv", "secure_getenv", "setenv",
    "putenv", "unsetenv", "clearenv", "mkstemp", "mkstemps", "mkostemp", "mkostemps", "mktemp", "mkdtemp", "tmpfile",
    "tmpnam", "popen", "realpath", "canonicalize_file_name", "getloadavg", "ptsname", "ptsname_r", "getpt", "grantpt",
    "unlockpt", "posix_openpt", "rpmatch", "getsubopt",
    // numbers and answers that differ from call to call, or that last
    "rand", "srand", "random", "srandom", "rand_r", "random_r", "srandom_r", "initstate", "setstate", "drand48",
    "erand48", "lrand48", "nrand48", "mrand48", "jrand48", "srand48", "seed48", "lcong48", "arc4random",
    "arc4random_buf", "arc4random_uniform", "random_device", "strtok", "strtok_r", "strerror", "strsignal", "strcoll",
    "strxfrm", "setlocale", "signgam",
    // hooks of the library
    "set_new_handler", "get_new_handler", "set_terminate", "get_terminate", "set_unexpected", "set_default_resource",
    "get_default_resource", "new_delete_resource", "null_memory_resource", "mallopt", "malloc_info", "malloc_stats",
    "mallinfo", "mallinfo2", "malloc_trim", "set_malloc_hook", "uncaught_exceptions",
    // the floating-point mode outlives the call
    "fesetround", "fesetenv", "feupdateenv", "feholdexcept", "feenableexcept", "fedisableexcept", "fesetexceptflag",
    "feraiseexcept", "fesetmode",
    // OpenMP's clock, and its words to whoever reads along
    "omp_get_wtime", "omp_get_wtick", "omp_display_env", "omp_display_affinity", "omp_capture_affinity",
    // threads that would outlive the call, or wait for nothing
    "detach", "pthread_detach", "sleep_for", "sleep_until", "notify_all_at_thread_exit", "set_value_at_thread_exit",
    "set_exception_at_thread_exit", "make_ready_at_thread_exit"};

// Of <execution>: the others stay on the caller's thread.
constexpr std::string_view kThreadPolicies[] = {"par", "par_unseq", "parallel_policy", "parallel_unsequenced_policy"};

// Parts of the names of builtins and intrinsics.
constexpr std::string_view kForbiddenBuiltinParts[] = {
    "print",       "puts",      "putc",     "fwrite",          "scanf",        "setjmp",        "longjmp",
    "exit",        "fork",      "exec",     "return_address",  "return_addr",  "frame_address", "apply",
    "_eh_",        "unwind",    "dwarf",    "thread_pointer",  "cyclecounter", "steadycounter", "clear_cache",
    "dump_struct", "debugtrap", "_FILE",    "source_location", "coro_",        "rdtsc",         "rdpmc",
    "rdpid",       "rdrand",    "rdseed",   "fsbase",          "gsbase",       "pkru",          "xbegin",
    "xabort",      "xtest",     "enqcmd",   "lwpcb",           "lwpval",       "lwpins",        "ldmxcsr",
    "setcsr",      "clflush",   "clwb",     "cldemote",        "clzero",       "mwait",         "monitor",
    "tpause",      "xrstor",    "xsave",    "fxrstor",         "fxsave",       "writeeflags",   "rdssp",
    "incssp",      "wrss",      "wruss",    "setssbsy",        "saveprevssp",  "rstorssp",      "ptwrite",
    "invpcid",     "wbinvd",    "wbnoinvd", "senduipi",        "clui",         "stui",          "movdir64b",
    "urdmsr",      "uwrmsr",    "hreset"};

template <std::size_t N>
bool ends_with_one_of(const std::string_view (&ends)[N], std::string_view path) {
  return std::any_of(std::begin(ends), std::end(ends), [&](std::string_view end) { return path.ends_with(end); });
}

template <std::size_t N>
bool has_one_of(const std::string_view (&parts)[N], std::string_view text) {
  return std::any_of(std::begin(parts), std::end(parts),
                     [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

}  // namespace

bool is_allowed_header(std::string_view name) {
  return contains(kHeaders, name);
}
bool is_thread_header(std::string_view name) {
  return contains(kThreadHeaders, name);
}

bool is_allowed_attribute(std::string_view name) {
  return contains(kAttributes, name);
}
bool is_attribute_name(std::string_view name) {
  return contains(kAttributes, name) || contains(kRefusedAttributes, name);
}

bool is_volatile_macro(std::string_view name) {
  return contains(kVolatileMacros, name);
}

bool is_forbidden_builtin(std::string_view name) {
  if (!name.starts_with("_")) return false;
  return has_one_of(kForbiddenBuiltinParts, name);
}

bool is_forbidden_use(std::string_view header, std::string_view name, bool threads_allowed) {
  if (contains(kForbiddenNames, name)) return true;
  const bool policy = header.find("/pstl/") != std::string_view::npos;
  if (policy && !threads_allowed && contains(kThreadPolicies, name)) return true;
  if (!threads_allowed && ends_with_one_of(kThreadEnds, header)) return true;
  const bool cxx = header.find("/c++/") != std::string_view::npos;
  if (cxx) return ends_with_one_of(kForbidden, header) || has_one_of(kForbiddenParts, header);
  if (ends_with_one_of(kThreadEnds, header)) return false;
  // The compiler's own headers: intrinsics.
  if (header.find("/clang/") != std::string_view::npos || header.find("/lib/gcc/") != std::string_view::npos)
    return false;
  const bool of_c =
      header.starts_with("/usr/include/") || header.find("/sysroot/usr/include/") != std::string_view::npos;
  return of_c && !ends_with_one_of(kCHeaders, header) && !has_one_of(kCParts, header);
}

}  // namespace hone::frontend
