// The pragma's text: what the parser refuses before any compiler looks at it.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;
using enum ExampleLanguage;

constexpr Explanation kAnnotationRows[] = {
    {Code::bad_character, "bad-character", "A character that cannot stand in a directive",
     R"(The text behind `#pragma hone` is C++ tokens. Quotes and blanks that a word processor put in, control
characters, digraphs and trigraphs are none, or compilers read them differently. Type the character itself.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) init(x: file(“x.npy”)) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) init(x: file("x.npy")) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::unterminated_text, "unterminated-text", "A string, a character or a comment has no end",
     R"(A directive ends with its line, so what is opened on it must be closed on it. A comment may go on over
several lines. Close the quote; a line that goes on ends in a backslash.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) name("sum of floats)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) name("sum of floats")
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::bad_string, "bad-string", "A string that is empty or has an escape sequence",
     R"(The strings of a directive are paths and names. They know no escape sequences but `\\` and `\"`, and they
are not empty. Write the characters themselves.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) name("sum\t1")
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) name("sum 1")
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::directive_too_large, "directive-too-large", "The directive is too long, or nested too deep",
     R"(A directive has at most 64 KiB, and its brackets nest at most 64 deep. Such a text is generated, or an
accident. Give long tables to the function as data, and name constants instead of writing them out.)"},
    {Code::unbalanced_brackets, "unbalanced-brackets", "A bracket closes nothing, or is never closed",
     R"(Each `(`, `[` and `{` of a directive needs its partner before the directive ends. The usual cause is a
line that should go on: it ends in a backslash, with nothing but blanks behind it.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n] problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::unexpected_token, "unexpected-token", "Something else was expected here",
     R"(The clause is not written as its grammar says. The message names what was expected at the caret, with an
example of the clause. A frequent cause is a forgotten comma, or a value without its name.)",
     cpp,
     R"(#pragma hone kernel in x[0:n] problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::unknown_directive, "unknown-directive", "`#pragma hone` knows one directive, `kernel`",
     R"(Clauses stand behind `#pragma hone kernel`. Other words behind `hone` mean nothing, and Hone does not pass
over what it does not understand.)",
     cpp,
     R"(#pragma hone in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::unknown_clause, "unknown-clause", "There is no clause of this name",
     R"(A clause that Hone does not know is an error and never ignored: with a mistyped `tolerance` a kernel would
be judged by another one. The message names the nearest clause, or all of them.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) tolerence(rtol=1e-4)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) tolerance(rtol=1e-4)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::unknown_word, "unknown-word", "A clause does not know this word",
     R"(Inside `init`, `tolerance` and `launch` stand words of their own: distributions (uniform, normal, index,
sorted, permutation, constant, zeros, file), limits (rtol, atol, ulp, exact), and grid, block and shared.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: gaussian(0, 1))
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: normal(0, 1))
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::empty_clause, "empty-clause", "A clause without content",
     R"(`in()` and `problem()` say nothing. Write what the clause is for, or leave it out.)", cpp,
     R"(#pragma hone kernel in(x[0:n]) problem()
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::repeated_clause, "repeated-clause", "Said twice",
     R"(`launch`, `threads`, `stream`, `workload` and `name` stand once, and each name has one section, one init,
one tolerance and one value in a problem. Two of them could contradict each other. Keep one. Only `problem`,
`instantiate` and `fixed` are repeated freely.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: zeros) init(x: normal)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: normal)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::argument_count, "argument-count", "Too many arguments, or too few",
     R"(A distribution, a part of a launch or an alias has another number of arguments: `uniform(low, high)`,
`index(low, high)`, `constant(value)`, one to three dimensions of a grid, two or more names of an alias.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: uniform(1))
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: uniform(0, 1))
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::launch_incomplete, "launch-incomplete", "A launch without its grid or its block",
     R"(CUDA needs both to launch a kernel. `shared` alone may be left out, which means none.)", cuda,
     R"(#pragma hone kernel inout(x[0:n]) launch(grid((n + 255) / 256)) problem(n=1024)
__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}
)",
     R"(#pragma hone kernel inout(x[0:n]) launch(grid((n + 255) / 256), block(256)) problem(n=1024)
__global__ void twice(float* x, int n) {
  const int i = blockIdx.x * 256 + threadIdx.x;
  if (i < n) x[i] *= 2;
}
)"},
    {Code::problem_without_values, "problem-without-values", "A problem that sets nothing",
     R"(`weight` says how much a problem counts, and nothing about its size. A problem gives a value to at least
one parameter.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(weight=2)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64, weight=2)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::tolerance_conflict, "tolerance-conflict", "Two tolerances that exclude each other",
     R"(`rtol` and `atol` go together. `ulp` counts units in the last place and `exact` allows no difference; each
stands alone. Different outputs may have different ones: `tolerance(rtol=1e-4) tolerance(y: ulp=4)`.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) tolerance(rtol=1e-4, ulp=2)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) tolerance(rtol=1e-4, atol=1e-6)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
};

}  // namespace

std::span<const Explanation> annotation_explanations() {
  return kAnnotationRows;
}

}  // namespace hone
