// What the function takes: parameters, members and results, their roles and extents.
#include "tool/diagnostics/explanation.h"

namespace hone {
namespace {

using Code = DiagnosticCode;
using enum ExampleLanguage;

constexpr Explanation kArgumentRows[] = {
    {Code::unknown_parameter, "unknown-parameter", "A clause names what is no parameter",
     R"(Clauses name the function's parameters as the definition below calls them, and variables or members that it
uses. The message names the nearest, or all.)",
     cpp,
     R"(#pragma hone kernel in(xs[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::bad_path, "bad-path", "A clause follows a member or calls something that it cannot",
     R"(A path is written as the function's body writes it: `->` behind pointers, `.` behind objects, down to an
array or a number. Of calls it knows `size()` and `extent(k)` of containers.)",
     cpp,
     R"(struct Grid { int n; float* cells; };

#pragma hone kernel inout(g.cells[0:g->n]) problem(g->n=64)
void twice(Grid* g) { for (int i = 0; i < g->n; ++i) g->cells[i] *= 2; }
)",
     R"(struct Grid { int n; float* cells; };

#pragma hone kernel inout(g->cells[0:g->n]) problem(g->n=64)
void twice(Grid* g) { for (int i = 0; i < g->n; ++i) g->cells[i] *= 2; }
)"},
    {Code::parameter_type, "parameter-type", "A parameter that no clause describes",
     R"(Hone draws arguments itself: numbers, arrays, plain structs, containers of them. It cannot make a map, a
pointer to a function, or a class of yours. Two ways lead on. A function of yours makes the arguments and hands over
what is compared: `workload(fn)`, on the processor. Or move the loop into a function that takes plain arrays and
scalars, and annotate that.)",
     cpp,
     R"(#include <map>

#pragma hone kernel
float sum(const std::map<int, float>& m) { float s = 0; for (const auto& one : m) s += one.second; return s; }
)",
     R"(#include <map>

#include <hone/workload.h>

float sum(const std::map<int, float>& m);

inline void sum_case(hone::workload& w, int n) {
  std::map<int, float> m;
  for (int i = 0; i < n; ++i) m[i] = w.real(-1, 1);
  float s = 0;
  w.time([&] { s = sum(m); });
  w.close(s);
}

#pragma hone kernel workload(sum_case) problem(n=1000)
float sum(const std::map<int, float>& m) { float s = 0; for (const auto& one : m) s += one.second; return s; }
)"},
    {Code::result_type, "result-type", "A result that cannot be compared",
     R"(A result is a number, an enumeration, a plain struct, or nothing. Others Hone cannot compare. A workload
takes what the function returned and hands over its numbers, or the function writes them through a pointer.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
const float* largest(const float* x, int n) {
  int at = 0;
  for (int i = 1; i < n; ++i) if (x[i] > x[at]) at = i;
  return x + at;
}
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
int largest(const float* x, int n) {
  int at = 0;
  for (int i = 1; i < n; ++i) if (x[i] > x[at]) at = i;
  return at;
}
)"},
    {Code::object_type, "object-type", "An object that Hone cannot put together",
     R"(For a member function Hone makes an object of the members that it uses, without a constructor. A union, an
object with virtual base classes, and one whose virtual functions are called cannot be made so. Make real objects in a
workload, or pass what is needed to a static function that this one calls.)",
     cpp,
     R"(struct Filter {
  virtual float gain() const { return 2; }
  void run(float* x, int n) const;
};

#pragma hone kernel inout(x[0:n]) problem(n=64)
void Filter::run(float* x, int n) const { for (int i = 0; i < n; ++i) x[i] *= gain(); }
)",
     R"(struct Filter {
  virtual float gain() const { return 2; }
  static void scale(float* x, int n, float by);
  void run(float* x, int n) const { scale(x, n, gain()); }
};

#pragma hone kernel inout(x[0:n]) problem(n=64)
void Filter::scale(float* x, int n, float by) { for (int i = 0; i < n; ++i) x[i] *= by; }
)"},
    {Code::member_undescribed, "member-undescribed", "The function uses a member of which no clause speaks",
     R"(Numbers in a struct are drawn. A pointer or a container in it is null or empty unless a clause says what it
holds, so a function that uses it needs the clause. Of a type that no clause describes, a workload makes it.)",
     cpp,
     R"(struct Grid { int n; float* cells; };

#pragma hone kernel problem(g->n=64)
void twice(Grid* g) { for (int i = 0; i < g->n; ++i) g->cells[i] *= 2; }
)",
     R"(struct Grid { int n; float* cells; };

#pragma hone kernel inout(g->cells[0:g->n]) problem(g->n=64)
void twice(Grid* g) { for (int i = 0; i < g->n; ++i) g->cells[i] *= 2; }
)"},
    {Code::not_a_pointer, "not-a-pointer", "A clause for pointers names something else",
     R"(`in`, `out`, `inout`, `alias` and `|null` speak of memory behind a pointer. A scalar needs none of them:
`problem` or `init` says what it holds.)",
     cpp,
     R"(#pragma hone kernel in(x[0:n], n) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::members_instead, "members-instead", "A clause names a struct that is put together of its members",
     R"(A struct with pointers or containers inside has no one extent, range or value. Name its members one by one,
as in `in(g.cells[0:g.n])`, `init(g.gain: uniform(0, 1))` or `problem(g.n=64)`.)",
     cpp,
     R"(struct View { int n; const float* x; };

#pragma hone kernel in(v.x[0:v.n]) problem(v=64)
float sum(View v) { float s = 0; for (int i = 0; i < v.n; ++i) s += v.x[i]; return s; }
)",
     R"(struct View { int n; const float* x; };

#pragma hone kernel in(v.x[0:v.n]) problem(v.n=64)
float sum(View v) { float s = 0; for (int i = 0; i < v.n; ++i) s += v.x[i]; return s; }
)"},
    {Code::role_missing, "role-missing", "A pointer to data that is not const has no role",
     R"(A `const T*` is read. Of another pointer the type does not say whether its memory is read, written or both,
and a wrong guess would let a wrong variant pass. Say it: `in`, `out` or `inout`. The same goes for a `std::vector&` or a
`std::span` of elements that are not const: `inout(v[0:v.size()])`.)",
     cpp,
     R"(#pragma hone kernel problem(n=64)
void twice(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
)",
     R"(#pragma hone kernel inout(x[0:n]) problem(n=64)
void twice(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }
)"},
    {Code::role_repeated, "role-repeated", "One array has two roles",
     R"(An array is in one clause, by whichever path it is named. What is read and written is `inout`.)", cpp,
     R"(struct Mixer { void mix(); float* levels; int n; };

#pragma hone kernel inout(levels[0:n]) in(this->levels[0:n]) problem(n=64)
void Mixer::mix() { for (int i = 0; i < n; ++i) levels[i] *= 2; }
)",
     R"(struct Mixer { void mix(); float* levels; int n; };

#pragma hone kernel inout(levels[0:n]) problem(n=64)
void Mixer::mix() { for (int i = 0; i < n; ++i) levels[i] *= 2; }
)"},
    {Code::const_output, "const-output", "Const data as an output",
     R"(Nothing is written through a `const T*`, so it can only be `in`. If the function casts the const away,
change the parameter's type.)",
     cpp,
     R"(#pragma hone kernel out(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::extent_missing, "extent-missing", "How much a pointer points to is not said",
     R"(Hone must know how many elements to draw, to protect and to compare, and a pointer does not say. Write
start:length, as in `x[0:n]`; `x[n]` is short for it. An extent may be any expression of the parameters.)",
     cpp,
     R"(#pragma hone kernel problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)",
     R"(#pragma hone kernel in(x[0:n]) problem(n=64)
float sum(const float* x, int n) { float s = 0; for (int i = 0; i < n; ++i) s += x[i]; return s; }
)"},
    {Code::extent_dimensions, "extent-dimensions", "The extent has another number of dimensions than the data",
     R"(A pointer to arrays, `float (*x)[4]`, takes one extent or one for each dimension. A pointer to pointers
takes two, how many rows and how long each is, and no distance between rows: each is memory of its own.)",
     cpp,
     R"(#pragma hone kernel in(rows[0:m]) problem(m=8, n=8)
float sum(const float* const* rows, int m, int n) {
  float s = 0;
  for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) s += rows[i][j];
  return s;
}
)",
     R"(#pragma hone kernel in(rows[0:m][0:n]) problem(m=8, n=8)
float sum(const float* const* rows, int m, int n) {
  float s = 0;
  for (int i = 0; i < m; ++i) for (int j = 0; j < n; ++j) s += rows[i][j];
  return s;
}
)"},
    {Code::alias_twice, "alias-twice", "One pointer in two alias clauses",
     R"(What overlaps is one group, so each pointer is in one clause. Name all that may overlap in it.)", cpp,
     R"(#pragma hone kernel in(x[0:n]) inout(y[0:n], z[0:n]) alias(x, y) alias(y, z) problem(n=64)
void add(const float* x, float* y, float* z, int n) { for (int i = 0; i < n; ++i) z[i] += y[i] += x[i]; }
)",
     R"(#pragma hone kernel in(x[0:n]) inout(y[0:n], z[0:n]) alias(x, y, z) problem(n=64)
void add(const float* x, float* y, float* z, int n) { for (int i = 0; i < n; ++i) z[i] += y[i] += x[i]; }
)"},
    {Code::enumeration_values, "enumeration-values", "Which values an enumeration's array may hold is not said",
     R"(The enumeration is only declared above the function, so its enumerators are not known. Say which values
its elements may hold with `init`.)",
     cpp,
     R"(enum class Kind : int;

#pragma hone kernel in(k[0:n]) problem(n=64)
int sum(const Kind* k, int n) { int s = 0; for (int i = 0; i < n; ++i) s += static_cast<int>(k[i]); return s; }
)",
     R"(enum class Kind : int;

#pragma hone kernel in(k[0:n]) init(k: index(0, 3)) problem(n=64)
int sum(const Kind* k, int n) { int s = 0; for (int i = 0; i < n; ++i) s += static_cast<int>(k[i]); return s; }
)"},
};

}  // namespace

std::span<const Explanation> argument_explanations() {
  return kArgumentRows;
}

}  // namespace hone
