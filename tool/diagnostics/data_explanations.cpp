// The data a kernel is called on: problems, how data is drawn and compared, what is fixed.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;
using enum ExampleLanguage;

constexpr Explanation kDataRows[] = {
    {Code::init_twice, "init-twice", "Two ways to draw one thing",
     R"(An array or a scalar has one distribution. The second clause may name the same by another path. Keep one.)",
     cpp,
     R"(struct Mixer { void mix(float* x, int n) const; float gain; };

#pragma hone kernel inout(x[0:n]) init(gain: uniform(0, 1), this->gain: normal) problem(n=64)
void Mixer::mix(float* x, int n) const { for (int i = 0; i < n; ++i) x[i] *= gain; }
)",
     R"(struct Mixer { void mix(float* x, int n) const; float gain; };

#pragma hone kernel inout(x[0:n]) init(gain: uniform(0, 1)) problem(n=64)
void Mixer::mix(float* x, int n) const { for (int i = 0; i < n; ++i) x[i] *= gain; }
)"},
    {Code::init_file_member, "init-file-member", "A file for one member of an array's elements",
     R"(A `.npy` file has whole elements. Name the array itself, and give the file all members, or draw the member
by a distribution.)",
     cpp,
     R"(struct Edge { int from; float w; };

#pragma hone kernel in(e[0:n]) init(e.from: file("from.npy")) problem(n=64)
float sum(const Edge* e, int n) { float s = 0; for (int i = 0; i < n; ++i) s += e[i].w; return s; }
)",
     R"(struct Edge { int from; float w; };

#pragma hone kernel in(e[0:n]) init(e.from: index(n)) problem(n=64)
float sum(const Edge* e, int n) { float s = 0; for (int i = 0; i < n; ++i) s += e[i].w; return s; }
)"},
    {Code::problem_missing, "problem-missing", "No problem to verify and time on",
     R"(An extent, a loop or a fixed value depends on a parameter, and no problem gives it a value. Add a
`problem` with a size that your program has. Without `workload` and `fixed`, `hone capture` can record some
instead.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) fixed(by)
float sum(const float* x, int n, float by) { float s = 0; for (int i = 0; i < n; ++i) s += x[i] * by; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64, by=2) fixed(by)
float sum(const float* x, int n, float by) { float s = 0; for (int i = 0; i < n; ++i) s += x[i] * by; return s; }
)"},
    {Code::problem_value_missing, "problem-value-missing", "A problem leaves out a value that is needed",
     R"(What an extent, a launch or a loop depends on is set by every problem, and so is what is fixed. Other
scalars are drawn.)",
     cpp,
     R"(#pragma hone kernel in(x[0:m*n]) problem(n=64)
float sum(const float* x, int m, int n) { float s = 0; for (int i = 0; i < m * n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:m*n]) problem(m=8, n=64)
float sum(const float* x, int m, int n) { float s = 0; for (int i = 0; i < m * n; ++i) s += x[i]; return s; }
)"},
    {Code::problem_value_twice, "problem-value-twice", "One problem gives two values to one thing",
     R"(Two paths of the problem name the same. Keep one value, or write two problems.)", cpp,
     R"(struct Mixer { void mix(float* x) const; int n; };

#pragma hone kernel inout(x[0:n]) problem(n=64, this->n=65)
void Mixer::mix(float* x) const { for (int i = 0; i < n; ++i) x[i] *= 2; }
)",
     R"(struct Mixer { void mix(float* x) const; int n; };

#pragma hone kernel inout(x[0:n]) problem(n=64) problem(n=65)
void Mixer::mix(float* x) const { for (int i = 0; i < n; ++i) x[i] *= 2; }
)"},
    {Code::problem_not_scalar, "problem-not-scalar", "A problem gives a value to what is no scalar",
     R"(A problem sets numbers. Arrays get their values from `init`, and a number that `in`, `out` or `inout`
names is drawn; leave it out there if the problem shall set it.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64, x=0)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: zeros)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::value_out_of_range, "value-out-of-range", "A value that a clause or a parameter cannot have",
     R"(A value does not fit its parameter's type, or a range has no values. Or a weight is not positive, a tolerance
is negative, or a number of threads is not between 1 and 65536.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: uniform(1, -1))
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) init(x: uniform(-1, 1))
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::constant_expected, "constant-expected", "A constant is expected here",
     R"(Weights, tolerances and numbers of threads hold for every call, so they depend on no parameter. The
compiler must be able to evaluate them.)",
     cpp,
     R"(float limit();

#pragma hone kernel in(x[0:n]) problem(n=64) tolerance(rtol=limit())
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(constexpr float limit() { return 1e-4f; }

#pragma hone kernel in(x[0:n]) problem(n=64) tolerance(rtol=limit())
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::tolerance_not_output, "tolerance-not-output", "A tolerance for what the function does not write",
     R"(Results are compared, and inputs are not. A tolerance names `out` and `inout` arrays; without a name it
holds for all of them and for the returned value.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) tolerance(x: rtol=1e-4)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) tolerance(rtol=1e-4)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::fixed_not_scalar, "fixed-not-scalar", "`fixed` names what is no number passed by value",
     R"(The linked code asks, before anything else, whether a fixed scalar has its value. It can ask that of
numbers by value only.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) fixed(x)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) fixed(n)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::fixed_not_constant, "fixed-not-constant", "A fixed scalar's value depends on a parameter",
     R"(The linked code compares the scalar with its value before the variant runs, so the value is a constant.
Give it one, or drop the scalar from `fixed`.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n*k]) problem(n=64, k=n/8) fixed(k)
float sum(const float* x, int n, int k) { float s = 0; for (int i = 0; i < n * k; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n*k]) problem(n=64, k=8) fixed(k)
float sum(const float* x, int n, int k) { float s = 0; for (int i = 0; i < n * k; ++i) s += x[i]; return s; }
)"},
    {Code::fixed_behind_null, "fixed-behind-null", "A fixed member of what may be null",
     R"(The linked code reads a fixed member before the function's own test of the pointer. Drop the member from
`fixed`, or test the pointer in the caller.)",
     cpp,
     R"(#include <vector>

struct Scale { int by; const float* x; };

#pragma hone kernel inout(x[0:n]) problem(n=64, s->by=2) fixed(s->by)
void scale(float* x, int n, const Scale* s) { if (s) for (int i = 0; i < n; ++i) x[i] *= s->by; }
)",
     R"(#include <vector>

struct Scale { int by; const float* x; };

#pragma hone kernel inout(x[0:n]) problem(n=64, s->by=2)
void scale(float* x, int n, const Scale* s) { if (s) for (int i = 0; i < n; ++i) x[i] *= s->by; }
)"},
    {Code::fixed_unsupported, "fixed-unsupported", "A function that cannot have fixed scalars",
     R"(Variant and original stand beside each other, and a function in front chooses. Templates, `constexpr`
functions, `__global__` kernels and functions with an unnamed parameter cannot be divided so. Drop the clause; the
scalar is then varied where variants are verified.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) fixed(n)
constexpr float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
constexpr float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::clause_expression, "clause-expression", "The compiler refuses a clause's expression",
     R"(Expressions of clauses are C++ (in a C source: C) over the function's parameters and what is visible above
it. Clang's own message stands at the place. Note that names declared behind the function are not visible.)",
     cpp,
     R"(#pragma hone kernel in(x[0:length]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::clauses_do_not_fit, "clauses-do-not-fit", "The function does not compile with its clauses",
     R"(The judge calls the function through code that is made of the clauses, and Clang refuses that code at no
clause in particular. The message is Clang's first. Simplify the clauses until it names one; if none is at fault,
this is a bug of Hone's that wants to be reported.)"},
};

}  // namespace

std::span<const Explanation> data_explanations() {
  return kDataRows;
}

}  // namespace hone
