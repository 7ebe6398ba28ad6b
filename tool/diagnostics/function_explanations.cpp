// What an annotation stands above: functions that cannot be tuned as they stand, and templates.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;
using enum ExampleLanguage;

constexpr Explanation kFunctionRows[] = {
    {Code::no_function, "no-function", "No function's definition follows the annotation",
     R"(An annotation belongs to the definition directly below it, since that is the text which a variant
replaces. A declaration has none. Move the annotation, also out of a function's body: it stands at file or
namespace scope, or in a class.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n);

float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(float sum(const float* x, int n);

#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::function_kind, "function-kind", "A function of a kind that cannot be tuned",
     R"(Hone calls a kernel many times with arguments of its own, and replaces its text. `main`, constructors,
destructors and conversions, `consteval` functions, functions with `...`, and `__device__` functions cannot be
called so, and a function of several macros has no text. Move the loop into a function of its own and annotate
that; for device code annotate the `__global__` kernel, or the host function that launches it.)",
     cpp,
     R"(#include <cstdio>

#pragma hone kernel
int main() {
  static float x[64];
  float s = 0;
  for (float one : x) s += one;
  std::printf("%g\n", s);
}
)",
     R"(#include <cstdio>

#pragma hone kernel in(x[0:n]) problem(n=64)
static float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }

int main() {
  static float x[64];
  std::printf("%g\n", sum(x, 64));
}
)"},
    {Code::annotated_twice, "annotated-twice", "Two annotations for one function",
     R"(A kernel has one annotation and one entry in the lock file. Join the clauses in one directive; a
template's further instances are further `instantiate` clauses.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
#pragma hone kernel in(x[0:n]) problem(n=4096)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) problem(n=4096)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::header_not_included, "header-not-included", "The command line includes the annotated header",
     R"(A warning: the annotation is passed over. A header of `-include` or a precompiled header stands in front
of all text, and a variant could stand nowhere. Include the header in the source files that call the kernel.)"},
    {Code::defined_in_class, "defined-in-class", "A member function that cannot be written out behind its class",
     R"(A variant of a member is a definition behind the class. That needs a member with a body that can stand
there: not a declaration, a constructor, a friend, or a member of a class without a name or
within a function. Define the function outside of the class, and annotate the definition.)",
     cpp,
     R"(struct Sums {
#pragma hone kernel in(x[0:n]) problem(n=64)
  static float of(const float* x, int n);
};

float Sums::of(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(struct Sums {
  static float of(const float* x, int n);
};

#pragma hone kernel in(x[0:n]) problem(n=64)
float Sums::of(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::lambda_kind, "lambda-kind", "A lambda that cannot be written out as a function",
     R"(A lambda is tuned as a function in front of it, whose parameters are the lambda's and what it captures.
That works for numbers and pointers. A lambda with `auto` parameters, with other captures, or in a macro has no such
function. Write a function with a name, and annotate that.)",
     cpp,
     R"(#include <vector>

float use(const std::vector<float>& w, const float* x, int n) {
#pragma hone kernel in(x[0:n]) problem(n=64)
  auto sum = [&](const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i] * w[i]; return s; };
  return sum(x, n);
}
)",
     R"(#include <vector>

float use(const std::vector<float>& v, const float* x, int n) {
  const float* w = v.data();
#pragma hone kernel in(x[0:n], w[0:n]) problem(n=64)
  auto sum = [=](const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i] * w[i]; return s; };
  return sum(x, n);
}
)"},
    {Code::not_written_out, "not-written-out", "The function cannot be written out by itself",
     R"(Members that are defined in their class, lambdas, and functions that a macro makes are read from a copy of
the file in which they stand alone. Clang refuses that copy. Write the function at namespace scope, without the
macro, and annotate it there.)"},
    {Code::instantiate_missing, "instantiate-missing", "A template without `instantiate`",
     R"(Hone measures code that runs, and a template is none until its arguments are known. Name each instance
that is to be tuned.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
template <class T>
T sum(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) instantiate(T=float) instantiate(T=double)
template <class T>
T sum(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::instantiate_without_template, "instantiate-without-template", "`instantiate` above what is no template",
     R"(A plain function, and an explicit specialization too, has nothing to instantiate. Drop the clause.)", cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) instantiate(T=float)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::template_kind, "template-kind", "A template whose instances cannot stand alone",
     R"(The variant of an instance is an explicit specialization. Parameter packs, parameters that are pointers or
references, members of partial specializations, and a `requires` behind a function template's parameters (g++ 12 crashes
on it; it may stand in front) cannot be specialized so. Annotate a plain function that the template calls with these
arguments.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) instantiate(T=float)
template <class T, class... Rest>
T sum(const T* x, int n, Rest...) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) instantiate(T=float)
template <class T>
T sum_of(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }

template <class T, class... Rest>
T sum(const T* x, int n, Rest...) { return sum_of(x, n); }
)"},
    {Code::unknown_template_parameter, "unknown-template-parameter", "`instantiate` names no template parameter",
     R"(The names in front of `=` are the template's own parameters, those of a class template around a member
included. The message names the nearest.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) instantiate(Type=float)
template <class T = float>
T sum(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) instantiate(T=float)
template <class T = float>
T sum(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::template_argument_missing, "template-argument-missing", "`instantiate` leaves an argument out",
     R"(Every template parameter without a default needs an argument. None is deduced, since no call is
looked at.)",
     cpp,
     R"(#pragma hone kernel in(x[0:N]) instantiate(T=float)
template <class T, int N>
T sum(const T* x) { T s = 0; for (int i = 0; i < N; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:N]) instantiate(T=float, N=64)
template <class T, int N>
T sum(const T* x) { T s = 0; for (int i = 0; i < N; ++i) s += x[i]; return s; }
)"},
    {Code::template_argument, "template-argument", "A template argument that does not fit",
     R"(The compiler refuses the instance with this argument: there is no such type, it is no constant, or a
constraint is not met. The message is the compiler's, with what the parameter takes.)",
     cpp,
     R"(#pragma hone kernel in(x[0:N]) instantiate(T=float, N=half)
template <class T, int N>
T sum(const T* x) { T s = 0; for (int i = 0; i < N; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:N]) instantiate(T=float, N=32)
template <class T, int N>
T sum(const T* x) { T s = 0; for (int i = 0; i < N; ++i) s += x[i]; return s; }
)"},
    {Code::instance_in_use, "instance-in-use", "The file uses or defines this instance already",
     R"(A variant is an explicit specialization behind the template. It cannot stand there if the file specializes
the instance itself, uses it in front of the template's definition, or instantiates it explicitly while it is inline
or in a header. Drop one of both, or annotate another instance.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) instantiate(T=float)
template <class T>
T sum(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }

template <>
float sum<float>(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64) instantiate(T=double)
template <class T>
T sum(const T* x, int n) { T s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }

template <>
float sum<float>(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
};

}  // namespace

std::span<const Explanation> function_explanations() {
  return kFunctionRows;
}

}  // namespace hone
