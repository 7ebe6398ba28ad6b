// Kernels whose arguments a function of the user's makes: what becomes of the annotation, and what every message that
// recommends workload(fn) leads to.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/model/workload_kernel.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;
using testing::StartsWith;

Snippet workload_snippet(const std::string& text, const std::string& standard = "-std=c++17") {
  return Snippet(
      "#include <hone/workload.h>\n#include <complex>\n#include <map>\n#include <string>\n#include <vector>\n" + text,
      {standard, "-I" HONE_HEADERS});
}

std::vector<std::string> names_of(const KernelSpec& spec) {
  std::vector<std::string> names;
  for (const Parameter& parameter : spec.parameters) names.push_back(parameter.name);
  return names;
}

constexpr const char* kDouble = R"(
void twice(std::vector<int>& v);
inline void twice_case(hone::workload& w, int n) {
  std::vector<int> v(n);
  w.fill(v, 0, 9);
  w.time([&] { twice(v); });
  w.exact(v);
}
)";

TEST(Workload, GivesKernelTheNumbersOfItsFunctionAndArraysOfResults) {
  const KernelSpec spec =
      workload_snippet(
          std::string(kDouble) +
          "#pragma hone kernel workload(twice_case) problem(n=100) problem(n=7, weight=2) tolerance(rtol=1e-3)\n"
          "void twice(std::vector<int>& v) { for (int& x : v) x *= 2; }\n")
          .kernel();
  EXPECT_TRUE(has_workload(spec));
  EXPECT_THAT(spec.problems, SizeIs(2));
  EXPECT_EQ(spec.problems[1].weight, 2);
  const std::vector<std::string> names = names_of(spec);
  EXPECT_EQ(names.front(), "n");
  EXPECT_EQ(names.back(), "result counts");
  const auto close = std::ranges::find(spec.parameters, "close floats 1", &Parameter::name);
  ASSERT_NE(close, spec.parameters.end());
  EXPECT_EQ(close->tolerance.rtol, 1e-3);
  EXPECT_THAT(spec.unit.harness, HasSubstr("hone_prepare("));
  EXPECT_THAT(spec.unit.prologue, HasSubstr("twice_case"));
}

TEST(Workload, MayStandBelowTheKernelInANamespaceOrInAClass) {
  for (const char* text :
       {"namespace a { namespace b {\n#pragma hone kernel workload(make) problem(n=3)\nint f(const std::string& s) { "
        "return s.size(); }\n} void make(hone::workload& w, int n) { std::string s(n, 'x'); w.exact(w.time([&] { "
        "return b::f(s); })); } }\n",
        "struct Cases { static void make(hone::workload& w, int n); };\n#pragma hone kernel workload(Cases::make) "
        "problem(n=3)\nint f(const std::string& s) { return s.size(); }\nvoid Cases::make(hone::workload& w, int n) { "
        "std::string s(n, 'x'); w.exact(w.time([&] { return f(s); })); }\n",
        "int f(const std::string& s);\nnamespace {\nvoid make(hone::workload& w, int n) { std::string s(n, 'x'); "
        "w.exact(w.time([&] { return f(s); })); }\n}\n#pragma hone kernel workload(::make) problem(n=3)\nint f(const "
        "std::string& s) { return s.size(); }\n"})
    for (const char* standard : {"-std=c++11", "-std=c++20"})
      EXPECT_TRUE(has_workload(workload_snippet(text, standard).kernel())) << text;
}

TEST(Workload, OfATemplateHasItsArguments) {
  const FoundKernels found = workload_snippet(R"(
template <class T> T sum(const std::vector<T>& v);
template <class T> void sum_case(hone::workload& w, int n) {
  std::vector<T> v(n);
  w.fill(v, 0, 9);
  w.close(w.time([&] { return sum<T>(v); }));
}
#pragma hone kernel workload(sum_case) problem(n=100) instantiate(T=float) instantiate(T=long)
template <class T> T sum(const std::vector<T>& v) { T s = 0; for (T x : v) s += x; return s; }
)")
                                 .find();
  for (const Diagnostic& diagnostic : found.diagnostics) ADD_FAILURE() << diagnostic.rendered;
  ASSERT_EQ(found.kernels.size(), 2u);
  EXPECT_THAT(found.kernels[0].spec.unit.harness, HasSubstr("sum_case<float>"));
}

TEST(Workload, OfAMemberOfAClassTemplateHasTheClassesArguments) {
  const KernelSpec spec = workload_snippet(R"(
template <class T> struct Gain { std::vector<T> x; void run(T by); };
template <class T> void fn(hone::workload& w, int n) {
  Gain<T> g;
  g.x.resize(n);
  w.fill(g.x, -1, 1);
  w.time([&] { g.run(T(2)); });
  w.close(g.x);
}
#pragma hone kernel workload(fn) instantiate(T=float) problem(n=100)
template <class T> void Gain<T>::run(T by) { for (T& v : x) v *= by; }
void use(Gain<float>& g) { g.run(3); }
)")
                              .kernel();
  EXPECT_THAT(spec.unit.harness, HasSubstr("fn<float>"));
}

TEST(Workload, IsInTheKeyWithAllThatItReaches) {
  const auto key = [](const char* step) {
    return workload_snippet(
               std::string("inline int step() { return ") + step +
               "; }\nint f(const std::string& s);\ninline void make(hone::workload& w, int n) { std::string "
               "s(n * step(), 'x'); w.exact(w.time([&] { return f(s); })); }\n#pragma hone kernel "
               "workload(make) problem(n=3)\nint f(const std::string& s) { return s.size(); }\n")
        .key();
  };
  EXPECT_EQ(key("2"), key("2"));
  EXPECT_NE(key("2"), key("3"));
}

struct Wrong {
  const char* clauses;
  const char* message;
};

TEST(Workload, SaysAtTheClauseWhatIsWrong) {
  for (const Wrong& wrong :
       {Wrong{"^at^workload(nothing)", "no function 'nothing'"},
        Wrong{"^at^workload(other)", "does not take a workload"},
        Wrong{"^at^workload(declared)", "is only declared here"}, Wrong{"^at^workload(two)", "several functions"},
        Wrong{"^at^workload(pointers)", "takes more than numbers"}, Wrong{"^at^workload(object)", "is a reference"},
        Wrong{"^at^workload(far)", "which no source of the compile_commands.json defines"},
        Wrong{"workload(make) in(^at^v[0:3])", "which makes the arguments itself"},
        Wrong{"workload(make) fixed(^at^n)", "which makes the arguments itself"},
        Wrong{"workload(make) problem(^at^m=3)", "which is no parameter of 'make'"}}) {
    std::string clauses = wrong.clauses;
    if (const std::size_t at = clauses.find("^at^workload("); at != std::string::npos)
      clauses = "workload(^at^" + clauses.substr(at + 13);
    const Snippet snippet = workload_snippet(
        "void f(std::vector<int>& v);\nint elsewhere();\nvoid other(int);\nvoid declared(hone::workload&);\n"
        "inline void two(hone::workload&) {}\ninline void two(hone::workload&, int) {}\n"
        "inline void pointers(hone::workload&, int*) {}\ninline void object(hone::workload&, std::string&) {}\n"
        "inline void far(hone::workload& w) { std::vector<int> v(elsewhere()); w.time([&] { f(v); }); }\n"
        "inline void make(hone::workload& w, int n) { std::vector<int> v(n); w.time([&] { f(v); }); w.exact(v); }\n"
        "#pragma hone kernel " +
        clauses + "\nvoid f(std::vector<int>& v) { v[0] = 1; }\n");
    const auto [line, column] = snippet.at("at");
    const std::vector<std::string> complaints = snippet.complaints();
    ASSERT_THAT(complaints, Not(IsEmpty())) << wrong.clauses;
    EXPECT_THAT(complaints.front(),
                AllOf(StartsWith(std::to_string(line) + ":" + std::to_string(column) + ": "), HasSubstr(wrong.message)))
        << wrong.clauses;
  }
}

// The header's macros, in each standard of C and in C++98.
TEST(Workload, InCAndCpp98TakesNumbersOfAllKinds) {
  const std::pair<const char*, const char*> languages[] = {
      {"-ansi", "main.c"}, {"-std=c99", "main.c"}, {"-std=gnu2x", "main.c"}, {"-std=c++98", "main.cpp"}};
  for (const auto& [standard, file] : languages) {
    const Snippet snippet(R"(
#include <hone/workload.h>
enum color { red, green };
int f(const void *given);
HONE_WORKLOAD void go(void *given) { *(int *)given = f(given); }
HONE_WORKLOAD void make(hone_workload *w, unsigned n, float by) {
  int got = (int)(by * n);
  float real[2]; long double wide[2]; __extension__ double _Complex both[2];
  unsigned long whole[2]; short narrow[2]; enum color colors[2]; const char text[2] = {1, 2};
  hone_fill(w, real, 2, 0, 1); hone_fill(w, wide, 2, 0, 1); hone_fill(w, both, 2, 0, 1);
  hone_fill(w, whole, 2, 0, 1); hone_fill(w, narrow, 2, -5, 5); hone_fill(w, colors, 2, red, green);
  hone_time(w, go, &got);
  hone_close(w, real, 2); hone_close(w, wide, 2); hone_close(w, both, 2);
  hone_exact(w, whole, 2); hone_exact(w, narrow, 2); hone_exact(w, colors, 2); hone_exact(w, text, 2);
  hone_exact(w, &got, 1);
}
#pragma hone kernel workload(make) problem(n=3, by=0.5)
int f(const void *given) { return *(const int *)given + 3; }
)",
                          {standard, "-I" HONE_HEADERS}, file);
    const KernelSpec spec = snippet.kernel();
    EXPECT_TRUE(has_workload(spec)) << standard;
    EXPECT_EQ(names_of(spec).at(1), "by");
  }
  const Snippet other(
      "void make(int n) { (void)n; }\n#pragma hone kernel workload(^at^make)\nint f(int n) { return n; }\n", {},
      "main.c");
  EXPECT_THAT(other.complaints().front(), HasSubstr("expected HONE_WORKLOAD void make(hone_workload *w, …)"));
}

// What clauses cannot say, a workload can: a parameter and what makes it.
struct Parameters {
  const char* type;
  const char* made;
};

constexpr const char* kScaled = R"(
struct Settings { double scale; int verbose; };
extern Settings settings;
namespace app { std::vector<double> table; }
double f(const std::vector<double>& v);
inline void fn(hone::workload& w, int n) {
  std::vector<double> v(n);
  w.fill(v, 0, 1);
  w.close(w.time([&] {
    settings.scale = 3;
    app::table.assign(4, 1);
    return f(v);
  }));
}
)";
constexpr const char* kScaledKernel = R"(
double part(double x) { return settings.scale * x * app::table[3]; }
#pragma hone kernel workload(fn) problem(n=3)
double f(const std::vector<double>& v) {
  double sum = 0;
  for (double x : v) sum += part(x);
  for (double x : app::table) sum += x;
  return sum;
}
)";

TEST(Workload, SetsVariablesThatTheKernelReads) {
  const Snippet snippet = workload_snippet(std::string(kScaled) + kScaledKernel);
  EXPECT_THAT(snippet.kernel().unit.harness, HasSubstr("Settings settings;"));  // nobody else defines it there
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  const auto check = [&](const std::string& body) {
    return gate.check("double f(const std::vector<double>& v) { " + body + " }");
  };
  EXPECT_EQ(check("const Settings& s = settings; double sum = 0; const double* t = &app::table[0]; for (double x : v) "
                  "sum += s.scale * x * t[3]; for (double x : app::table) sum += x; return sum;"),
            "");
  EXPECT_THAT(check("settings.scale = 1; return v[0];"), HasSubstr("'settings' may be changed"));
  EXPECT_THAT(check("Settings* s = &settings; return s->scale;"), HasSubstr("'settings' may be changed"));
  EXPECT_THAT(check("const Settings* s = &settings; const_cast<Settings*>(s)->scale = 1; return v[0];"),
              HasSubstr("'settings' may be changed"));
  EXPECT_THAT(check("const Settings* s = &settings; ((Settings*)s)->scale = 1; return v[0];"),
              HasSubstr("'settings' may be changed"));
  EXPECT_THAT(check("app::table.push_back(v[0]); return v[0];"), HasSubstr("'app::table' may be changed"));
}

TEST(Workload, LeavesVariablesToKernelThatGivesUp) {
  const Snippet snippet = workload_snippet(R"(#include <cstdio>
struct Options { int verbose; FILE* log; };
extern Options options;
int f(const int* x);
inline void fn(hone::workload& w) {
  int x = 3;
  w.exact(w.time([&] { options.verbose = 0; return f(&x); }));
}
#pragma hone kernel workload(fn)
int f(const int* x) {
  if (!x) {
    if (!options.log) options.log = stderr;
    std::fputs("nothing", options.log);
    return 0;
  }
  return *x;
}
)");
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  const std::string gives_up =
      "if (!x) { if (!options.log) options.log = stderr; std::fputs(\"nothing\", options.log); return 0; } ";
  EXPECT_EQ(gate.check("int f(const int* x) { " + gives_up + "return x[0]; }"), "");
  EXPECT_THAT(gate.check("int f(const int* x) { " + gives_up + "options.verbose = *x; return x[0]; }"),
              HasSubstr("'options' may be changed where"));
}

TEST(Workload, InCpp98IsExpectedInTheFormOfC) {
  const Snippet snippet("#include <hone/workload.h>\n#pragma hone kernel workload(fn)\nint f() { return 3; }\n",
                        {"-ansi", "-I" HONE_HEADERS});
  EXPECT_THAT(snippet.complaints(), ElementsAre(HasSubstr("expected HONE_WORKLOAD void fn(hone_workload *w, …)")));
}

TEST(Workload, IsToldWhichVariablesToSet) {
  std::string unset = std::string(kScaled) + kScaledKernel;
  unset.replace(unset.find("settings.scale = 3;"), 19, "");
  EXPECT_THAT(workload_snippet(unset).complaints(),
              ElementsAre(HasSubstr("'f' uses the variable 'settings', which other code can change; set it in 'fn'")));
  std::string written = std::string(kScaled) + kScaledKernel;
  written.replace(written.find("double sum"), 0, "settings.verbose = 1; ");
  EXPECT_THAT(
      workload_snippet(written).complaints(),
      ElementsAre(HasSubstr("'settings', which other code can change; beside workload(fn) it may only be read")));
  for (const char* value : {"settings.scale=1", "app::count=1"}) {
    std::string given = std::string(kScaled) + "namespace app { int count; }\n" + kScaledKernel;
    given.replace(given.find("n=3"), 0, value + std::string(", "));
    EXPECT_THAT(workload_snippet(given).complaints(), ElementsAre(HasSubstr("set it in 'fn'"))) << value;
  }
}

TEST(Workload, TakesWhatMessagesSendThere) {
  const std::string types = "struct V { virtual ~V() {} float x = 0; };\nunion U { int i; float f; };\n";
  for (const Parameters& one :
       {Parameters{"float***", "float q = 1; float *p1 = &q, **p2 = &p1, ***p = &p2;"},
        Parameters{"float*&", "float q = 1; float* p = &q;"},
        Parameters{"std::vector<std::string>&", "std::vector<std::string> p(9);"},
        Parameters{"std::string&", "std::string p;"}, Parameters{"void*", "float q = 1; void* p = &q;"},
        Parameters{"V*", "V q; V* p = &q;"}, Parameters{"const V&", "V p;"},
        Parameters{"decltype(static_cast<void (*)(int)>(nullptr))", "void (*p)(int) = nullptr;"},
        Parameters{"__int128", "__int128 p = 1;"}, Parameters{"U*", "U q = {}; U* p = &q;"},
        Parameters{"volatile float*", "volatile float q = 1; volatile float* p = &q;"}}) {
    const std::string function = std::string("int f(") + one.type + " p) { (void)p; return 3; }\n";
    const std::vector<std::string> advice =
        workload_snippet(types + "#pragma hone kernel threads(1)\n" + function).complaints();
    ASSERT_THAT(advice, Not(IsEmpty())) << one.type;
    EXPECT_THAT(advice.front(), HasSubstr("workload(fn)")) << one.type;
    const std::vector<std::string> left =
        workload_snippet(types + "int f(" + one.type + " p);\ninline void fn(hone::workload& w) { " + one.made +
                         " w.exact(w.time([&] { return f(p); })); }\n#pragma hone kernel workload(fn)\n" + function)
            .complaints();
    EXPECT_THAT(left, IsEmpty()) << one.type;
  }
}

TEST(Clauses, AreNamedForMembersAndNotForWhatNoneCanSay) {
  const std::string types =
      "struct Inner { int* cells; int n; };\nstruct S { Inner* inner; void* anything; int n; };\n"
      "struct { int level; int* counts; } options;\n";
  const auto advice = [&](const std::string& body) {
    const std::vector<std::string> said =
        workload_snippet(types + "#pragma hone kernel problem(s->n=3)\nint f(S* s) { return s->n + " + body + "; }\n")
            .complaints();
    return said.empty() ? "" : said.front();
  };
  EXPECT_THAT(advice("s->inner->n"), HasSubstr("as in inout(s->inner->n)"));
  EXPECT_THAT(advice("s->inner->cells[1]"), HasSubstr("as in inout(s->inner->cells[0:n])"));
  EXPECT_THAT(advice("*(int*)s->anything"),
              AllOf(HasSubstr("'s->anything' of type 'void *'"), HasSubstr("workload(fn)")));
  EXPECT_THAT(advice("options.level"), HasSubstr("as in problem(options.level=…)"));
  EXPECT_THAT(advice("options.counts[0]"), HasSubstr("as in inout(options.counts[0:n])"));
}

TEST(Workload, TakesResultsThatMessagesSendThere) {
  for (const char* type : {"std::vector<int>", "const int*", "std::map<std::string, int>"}) {
    const std::string function = std::string(type) + " f(int n) { (void)n; return {}; }\n";
    const std::vector<std::string> advice =
        workload_snippet("#pragma hone kernel problem(n=3)\n" + function).complaints();
    ASSERT_THAT(advice, Not(IsEmpty())) << type;
    EXPECT_THAT(advice.front(), HasSubstr("workload(fn)")) << type;
  }
  const std::vector<std::string> left = workload_snippet(R"(
std::map<std::string, std::vector<double>> f(int n);
inline void fn(hone::workload& w, int n) {
  const auto result = w.time([&] { return f(n); });
  for (const auto& one : result) { w.exact(one.first); w.close(one.second); }
  w.exact(result);
}
#pragma hone kernel workload(fn) problem(n=3)
std::map<std::string, std::vector<double>> f(int n) { return {{"a", std::vector<double>(n)}}; }
)")
                                            .complaints();
  EXPECT_THAT(left, IsEmpty());
}

}  // namespace
}  // namespace hone::frontend
