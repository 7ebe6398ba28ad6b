#include "tool/frontend/policy_words.h"

#include <algorithm>
#include <iterator>

namespace hone::frontend {
namespace {

constexpr std::string_view kHeaders[] = {
    "algorithm",   "array",       "bit",         "bitset",      "cassert",     "cfloat",
    "climits",     "cmath",       "complex",     "cstddef",     "cstdint",     "cstring",
    "concepts",    "functional",  "iterator",    "limits",      "memory",      "new",
    "numbers",     "numeric",     "optional",    "span",        "tuple",       "type_traits",
    "utility",     "valarray",    "vector",      "assert.h",    "float.h",     "limits.h",
    "math.h",      "stdbool.h",   "stddef.h",    "stdint.h",    "string.h",    "initializer_list",
    "immintrin.h", "x86intrin.h", "emmintrin.h", "xmmintrin.h", "pmmintrin.h", "tmmintrin.h",
    "smmintrin.h", "nmmintrin.h", "avxintrin.h", "arm_neon.h",  "arm_sve.h",   "experimental/simd",
    "cstdlib",     "ranges",      "cfenv"};

constexpr std::string_view kThreadHeaders[] = {"thread",     "mutex",     "atomic", "condition_variable",
                                               "future",     "barrier",   "latch",  "semaphore",
                                               "stop_token", "execution", "omp.h"};

// The ends of the paths of headers nothing of which a kernel needs.
constexpr std::string_view kForbidden[] = {
    "/stdio.h",       "/unistd.h",   "/fcntl.h",  "/signal.h",    "/dlfcn.h",       "/setjmp.h",      "/spawn.h",
    "/time.h",        "/poll.h",     "/mqueue.h", "/iostream",    "/ostream",       "/istream",       "/fstream",
    "/sstream",       "/filesystem", "/chrono",   "/random",      "/bits/chrono.h", "/bits/random.h", "/bits/stdio2.h",
    "/bits/unistd.h", "/netdb.h",    "/dirent.h", "/bits/time.h", "/cstdio",        "/ucontext.h",    "/link.h"};
constexpr std::string_view kForbiddenFolders[] = {"/sys/", "/netinet/", "/arpa/", "/linux/", "/asm/", "/asm-generic/"};
constexpr std::string_view kThreadEnds[] = {"/pthread.h",
                                            "/sched.h",
                                            "/thread",
                                            "/mutex",
                                            "/future",
                                            "/condition_variable",
                                            "/threads.h",
                                            "/bits/std_thread.h",
                                            "/bits/std_mutex.h",
                                            "/bits/this_thread_sleep.h",
                                            "/omp.h"};
constexpr std::string_view kForbiddenNames[] = {
    "system", "exit",     "_Exit",    "quick_exit", "atexit", "at_quick_exit", "getenv",    "secure_getenv", "setenv",
    "putenv", "unsetenv", "clearenv", "mkstemp",    "mktemp", "mkdtemp",       "tmpfile",   "popen",         "rand",
    "srand",  "random",   "srandom",  "drand48",    "rand_r", "realpath",      "getloadavg"};

template <std::size_t N>
bool contains(const std::string_view (&words)[N], std::string_view word) {
  return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

template <std::size_t N>
bool ends_with_one_of(const std::string_view (&ends)[N], std::string_view path) {
  return std::any_of(std::begin(ends), std::end(ends), [&](std::string_view end) { return path.ends_with(end); });
}

}  // namespace

bool is_allowed_header(std::string_view name) {
  return contains(kHeaders, name);
}
bool is_thread_header(std::string_view name) {
  return contains(kThreadHeaders, name);
}

bool is_forbidden_builtin(std::string_view name) {
  constexpr std::string_view kParts[] = {"print",  "puts",    "putc", "fwrite", "scanf",
                                         "setjmp", "longjmp", "exit", "fork",   "exec"};
  return name.starts_with("__builtin_") &&
         std::any_of(std::begin(kParts), std::end(kParts),
                     [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

bool is_forbidden_use(std::string_view header, std::string_view name, bool threads_allowed) {
  if (ends_with_one_of(kForbidden, header)) return true;
  if (std::any_of(std::begin(kForbiddenFolders), std::end(kForbiddenFolders),
                  [&](std::string_view folder) { return header.find(folder) != std::string_view::npos; }))
    return true;
  if (!threads_allowed && ends_with_one_of(kThreadEnds, header)) return true;
  return header.ends_with("/stdlib.h") && contains(kForbiddenNames, name);
}

}  // namespace hone::frontend
