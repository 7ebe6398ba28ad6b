// Kernels that use what other sources of the project define.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "tests/frontend/snippet.h"
#include "tool/frontend/find/files_read.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kCurveHeader = R"(#pragma once
namespace app {
extern const float table[4];
float bend(float x, const float* w);
float bend(int x);
struct Curve {
  float a;
  explicit Curve(float a);
  virtual ~Curve();
  float at(float x) const;
};
float operator*(const Curve& c, float x);
}
extern "C" int deep(int x);
)";
constexpr const char* kCurveSource = R"(#include "curve.h"
#include <cstdio>
namespace app {
static float helper(float x) { return x + 1; }
Curve::Curve(float a) : a(a) {}
Curve::~Curve() {}
float Curve::at(float x) const { return helper(x) * a + deep(3); }
float bend(float x, const float* w) { return helper(x) * w[0] + table[1]; }
float bend(int x) { std::printf("%d\n", x); return 0; }
float operator*(const Curve& c, float x) { return c.a * x; }
}
int calls;
int counted() { return ++calls; }
void never() { std::printf("never\n"); }
)";
constexpr const char* kTables = "#include \"curve.h\"\nnamespace app { const float table[4] = {1, 2, 3, 4}; }\n";
constexpr const char* kDeep =
    "extern int deep(int x);\nstatic int twice(int x) { return 2 * x; }\n"
    "int deep(int x) { return twice(x); }\n";

// A project of these sources, and of one with the kernel.
struct TwoSources {
  explicit TwoSources(const std::string& kernel, const std::string& curve = kCurveSource)
      : snippet("#include \"curve.h\"\n" + kernel) {
    for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{
             {"curve.h", kCurveHeader}, {"curve.cpp", curve}, {"tables.cpp", kTables}, {"deep.c", kDeep}})
      snippet.with_file(name, text);
  }

  CompileCommand command(const std::string& file) const {
    CompileCommand other = snippet.command();
    for (std::string& word : other.arguments)
      if (word == "main.cpp" || word == other.file) word = file;
    if (file.ends_with(".c")) other.arguments = {"gcc", "-c", file};
    other.file = (snippet.folder() / file).string();
    return other;
  }
  KernelsAndFiles find() const {
    Options options;
    options.sources_with = [&](const std::string& word) {
      std::vector<CompileCommand> commands;
      for (const char* file : {"main.cpp", "tables.cpp", "deep.c", "curve.cpp"})
        if (word.empty() || os::read_file(snippet.folder() / file)->find(word) != std::string::npos)
          commands.push_back(command(file));
      return commands;
    };
    auto all = find_kernels_and_files(snippet.command(), options);
    EXPECT_TRUE(all) << all.error().message();
    return std::move(all).value_or(KernelsAndFiles());
  }
  KernelSpec kernel() const {
    KernelsAndFiles all = find();
    EXPECT_THAT(all.found.diagnostics, IsEmpty()) << all.found.diagnostics.front().rendered;
    return all.found.kernels.at(0).spec;
  }
  std::string complaint() const {
    const KernelsAndFiles all = find();
    return all.found.diagnostics.empty() ? "" : all.found.diagnostics.front().message;
  }

  Snippet snippet;
};

std::string scaled_by(const std::string& body) {
  return "#pragma hone kernel inout(x[0:n]) problem(n=100)\nvoid f(float* x, int n) {\n"
         "  for (int i = 0; i < n; ++i) x[i] = " +
         body + ";\n}\n";
}

TEST(Elsewhere, DefinitionsComeWithAllThatTheyReach) {
  const KernelSpec spec = TwoSources(scaled_by("app::bend(x[i], app::table)")).kernel();
  ASSERT_THAT(spec.called, SizeIs(2));  // app::table is the other's
  EXPECT_THAT(spec.called[0].file, EndsWith("/curve.cpp"));
  EXPECT_THAT(spec.called[0].text,
              AllOf(HasSubstr("float bend(float x, const float* w)"), HasSubstr("float helper"),
                    Not(HasSubstr("printf")), Not(HasSubstr("Curve::at")), Not(HasSubstr("cstdio"))));
  EXPECT_THAT(spec.called[1].text, HasSubstr("{1, 2, 3, 4}"));
}

TEST(Elsewhere, DefinitionsAreFollowedFromSourceToSource) {
  const KernelSpec spec = TwoSources(scaled_by("app::Curve(2).at(x[i])")).kernel();
  ASSERT_THAT(spec.called, SizeIs(2));
  EXPECT_THAT(spec.called[0].text,
              AllOf(HasSubstr("Curve::Curve"), HasSubstr("Curve::~Curve"), HasSubstr("Curve::at")));
  EXPECT_THAT(spec.called[1].text, AllOf(HasSubstr("int deep"), HasSubstr("int twice")));
  EXPECT_THAT(spec.called[1].arguments, ElementsAre("gcc", "-c", "deep.c"));
}

TEST(Elsewhere, OperatorsAreFound) {
  const std::string body =
      "#pragma hone kernel inout(x[0:n]) problem(n=100)\nvoid f(float* x, int n, const float& a) {\n"
      "  const app::Curve c(a);\n  for (int i = 0; i < n; ++i) x[i] = c * x[i];\n}\n";
  EXPECT_THAT(TwoSources(body).kernel().called.at(0).text, HasSubstr("operator*"));
}

TEST(Elsewhere, TextIsInTheKeyAndNothingAroundIt) {
  const std::string kernel = scaled_by("app::bend(x[i], app::table)");
  const auto key = [&](const std::string& from, const std::string& to) {
    std::string curve = kCurveSource;
    if (!from.empty()) curve.replace(curve.find(from), from.size(), to);
    return TwoSources(kernel, curve).kernel().key;
  };
  const std::string key_now = key("", "");
  EXPECT_EQ(key("Curve::at(float x) const { return", "Curve::at(float x) const { return 1 + "), key_now);
  EXPECT_EQ(key("return x + 1;", "/* one */ return x   + 1;"), key_now);
  EXPECT_NE(key("return x + 1;", "return x + 2;"), key_now);
  EXPECT_NE(key("* w[0]", "* w[1]"), key_now);
}

TEST(Elsewhere, FilesAreToldThatTheAnswerRestsOn) {
  const KernelsAndFiles all = TwoSources(scaled_by("app::bend(x[i], app::table)")).find();
  EXPECT_THAT(all.elsewhere, testing::Contains(EndsWith("/curve.cpp")));
  EXPECT_THAT(all.elsewhere, testing::Contains(EndsWith("/tables.cpp")));
  EXPECT_THAT(all.elsewhere, Not(testing::Contains(EndsWith("/curve.h"))));  // the kernel's own file reads it
}

TEST(Elsewhere, WhatDoesMoreThanComputeIsRefusedByName) {
  EXPECT_THAT(
      TwoSources(scaled_by("app::bend(i)")).complaint(),
      AllOf(HasSubstr("'app::bend' of "), HasSubstr("/curve.cpp does more than compute"), HasSubstr("'printf'")));
  EXPECT_THAT(
      TwoSources("int counted();\n" + scaled_by("counted()")).complaint(),
      AllOf(HasSubstr("'counted' of "), HasSubstr("changes the variable 'calls', which other code can change")));
}

// `const` was forgotten: brotli's seed, which memcpy() reads. Nothing of the file may write it, called or not.
TEST(Elsewhere, VariableThatNothingWritesIsConstant) {
  const auto complaint = [](const std::string& more) {
    return TwoSources("int looked_up(int);\n" + scaled_by("looked_up(i)"),
                      "#include <cstring>\n" + std::string(kCurveSource) + "static int powers[2] = {1, 2};\n" + more +
                          "int looked_up(int i) {\n  int own[2];\n  std::memcpy(own, powers, sizeof own);\n"
                          "  return own[i & 1] + powers[0];\n}\n")
        .complaint();
  };
  EXPECT_EQ(complaint(""), "");
  for (const char* writes :
       {"void set() { powers[0] = 3; }\n", "struct Setter { void set() { ++powers[1]; } };\n", "int* kept = powers;\n",
        "template <class T> T set(T x) { return powers[0] = x; }\ninline int two() { return set(2); }\n",
        "void fill() { std::memset(powers, 0, sizeof powers); }\n"})
    EXPECT_THAT(complaint(writes), HasSubstr("'powers', which other code can change")) << writes;
}

TEST(Elsewhere, WhatNoSourceDefinesIsNamed) {
  EXPECT_THAT(
      TwoSources("int gone(int);\nextern const int lost;\n" + scaled_by("gone(i) + lost + deep(i)")).complaint(),
      HasSubstr("'f' uses 'gone' and 'lost', which no source of the compile_commands.json defines"));
}

TEST(Elsewhere, SourceThatCannotBeReadIsNamed) {
  EXPECT_THAT(TwoSources(scaled_by("app::bend(x[i], nullptr)"),
                         std::string(kCurveSource) + "int broken(int x) { return x +; }\n")
                  .complaint(),
              AllOf(HasSubstr("'f' uses 'app::bend', which may be defined in a source that Hone cannot read: "),
                    HasSubstr("curve.cpp:"), HasSubstr("Clang cannot parse it: expected expression")));
}

// world() calls step(), which calls scaled() of the kernel's own file.
TEST(Elsewhere, FunctionsThatAreCalledBackAreInTheUnit) {
  const std::string kernel = "int deep(int);\nfloat scaled(float x) { return 2 * x; }\nint unused() { return 7; }\n" +
                             scaled_by("app::bend(x[i], app::table)");
  const std::string curve =
      "float scaled(float x);\n" +
      std::string(kCurveSource).replace(std::string(kCurveSource).find("return x + 1;"), 13, "return scaled(x);");
  const KernelSpec spec = TwoSources(kernel, curve).kernel();
  EXPECT_THAT(spec.unit.prologue, AllOf(HasSubstr("float scaled"), Not(HasSubstr("int unused"))));
  EXPECT_THAT(TwoSources("#include <cstdio>\n" +
                             std::string(kernel).replace(kernel.find("{ return 2"), 2, "{ std::puts(\"\"); "),
                         curve)
                  .complaint(),
              HasSubstr("'scaled', which they call, does more than compute"));
}

// As C makes templates: a file that is included once for each type, with names that macros put together.
TEST(Elsewhere, DefinitionsInIncludedFilesAreFound) {
  TwoSources project(scaled_by("sum_int(nullptr, i)"),
                     "#define NAME(x) x##_int\nstatic int twice(int x) { return 2 * x; }\n#include \"sum_inc.h\"\n");
  project.snippet.with_file("sum_inc.h", "int NAME(sum)(const int* x, int n) { return x ? twice(x[0]) : n; }\n");
  project.snippet.with_file("curve.h", std::string(kCurveHeader) + "#include \"curve_declared.h\"\n");
  project.snippet.with_file("curve_declared.h", "int sum_int(const int*, int);\n");
  const KernelSpec spec = project.kernel();
  ASSERT_THAT(spec.called, SizeIs(1));
  EXPECT_THAT(spec.called[0].text, AllOf(HasSubstr("#include \"sum_inc.h\""), HasSubstr("static int twice")));
}

// Its table of virtual functions stands where value() is defined.
TEST(Elsewhere, VirtualFunctionsOfNestedClassesComeWithTheirClass) {
  const std::string classes =
      "struct Base { virtual int value() const = 0; };\nstruct Outer {\n"
      "  struct Inner : Base { int value() const override; };\n  int go();\n};\n";
  const KernelSpec spec = TwoSources(classes + scaled_by("Outer().go()"),
                                     classes +
                                         "int Outer::Inner::value() const { return 3; }\nint unused() { return 1; }\n"
                                         "int Outer::go() { Inner inner; return inner.value(); }\n")
                              .kernel();
  EXPECT_THAT(spec.called.at(0).text, AllOf(HasSubstr("Outer::Inner::value"), Not(HasSubstr("unused"))));
  const KernelSpec by_base =
      TwoSources(
          classes + scaled_by("Outer().go()"),
          classes +
              "int Outer::Inner::value() const { return 3; }\nstatic int ask(const Base& b) { return b.value(); }\n"
              "int Outer::go() { Inner inner; return ask(inner); }\n")
          .kernel();
  EXPECT_THAT(by_base.called.at(0).text, HasSubstr("Outer::Inner::value"));
}

// dump() stands in a class, and nobody calls it or makes such an object: what it calls is no concern of the kernel's.
TEST(Elsewhere, InlineFunctionsThatNobodyCallsAreLeftOut) {
  const std::string kernel = R"(#include <hone/workload.h>
void gone(int);
struct Shape {
  float size;
  virtual void dump() { never(); gone(2); }
  static void never();
};
float f(const Shape* s);
inline void make(hone::workload& w, int n) { w.exact(w.time([&] { return f(nullptr); })); }
#pragma hone kernel workload(make) problem(n=100)
float f(const Shape* s) { return s ? s->size : 0; }
)";
  TwoSources project(kernel);
  project.snippet.with_flags({"-std=c++17", "-I" HONE_HEADERS});
  EXPECT_THAT(project.kernel().called, IsEmpty());
  project.snippet.rewrite_main("#include \"curve.h\"\n" + std::string(kernel).replace(kernel.find("return f(nullptr)"),
                                                                                      17, "Shape s; return f(&s)"));
  EXPECT_THAT(project.complaint(), HasSubstr("'make' reaches "));
}

TEST(Elsewhere, WorkloadsMayCallAnything) {
  const std::string kernel = R"(#include <hone/workload.h>
int counted();
float f(const app::Curve& c);
inline void make(hone::workload& w, int n) {
  app::Curve c(n + counted());
  w.exact(w.time([&] { return f(c); }));
}
#pragma hone kernel workload(make) problem(n=100)
float f(const app::Curve& c) { return c.a; }
)";
  TwoSources project(kernel);
  project.snippet.with_flags({"-std=c++17", "-I" HONE_HEADERS});
  EXPECT_THAT(project.kernel().called.at(0).text, AllOf(HasSubstr("int calls;"), HasSubstr("Curve::~Curve")));
}

}  // namespace
}  // namespace hone::frontend
