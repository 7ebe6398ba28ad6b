// What changes a request key, and what must not.
#include <filesystem>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tests/replaced_text.h"

namespace hone::frontend {
namespace {

constexpr const char* kSource = R"code(#include "own.h"
#define FACTOR 3
#define UNUSED_MACRO 1
namespace app {
struct Cell { float value; int age; };
constexpr int kLimit = 10;
constexpr int kElsewhere = 11;
float helper(float x) { return __builtin_sqrtf(x) * FACTOR; }
float unrelated(float x) { return x; }
#pragma hone kernel inout(c[0:n]) problem(n=kLimit)
void f(Cell* c, int n) {
#ifdef FAST
  const float fast = 1;
#else
  const float fast = 0;
#endif
  for (int i = 0; i < n; ++i) c[i].value = helper(c[i].value) + fast + from_header();
}
}
)code";
constexpr const char* kSharedHeader = "inline int from_header() { return 1; }\ninline int not_used() { return 2; }\n";

std::string key_of(const std::string& source, const std::string& header = kSharedHeader,
                   std::vector<std::string> flags = {"-std=c++17"}) {
  return Snippet(source, std::move(flags)).with_file("own.h", header).key();
}

std::string key_after(const std::string& from, const std::string& to) {
  return key_of(test::replaced(kSource, from, to));
}

TEST(RequestKey, IgnoresEditsOutOfKernelReach) {
  const std::string key = key_of(kSource);  // each key_of() is another folder
  EXPECT_EQ(key, key_of(kSource));
  EXPECT_EQ(key, key_after("return x; }", "return x + 1; }"));
  EXPECT_EQ(key, key_after("kElsewhere = 11", "kElsewhere = 12"));
  EXPECT_EQ(key, key_after("UNUSED_MACRO 1", "UNUSED_MACRO 2"));
  EXPECT_EQ(key, key_after("namespace app {", "#include <cstddef>\n\n\nint g() { return 1; }\nnamespace app {"));
  EXPECT_EQ(key, key_after("void f(Cell* c,", "void /* remark */ f(Cell  *c, // another\n"));
  EXPECT_EQ(key, key_after("const float fast = 1;", "const float fast = 2;"));  // not taken
  EXPECT_EQ(key, key_after("inout(c[0:n])", "inout( c[0 : n] )"));
  EXPECT_EQ(key, key_after("problem(n=kLimit)", "problem(n=kLimit) name(label)"));
  EXPECT_EQ(key, key_of(kSource, test::replaced(kSharedHeader, "return 2", "return 3")));
  EXPECT_EQ(key, key_of(kSource, kSharedHeader, {"-std=c++17", "-g", "-Wall", "-O2", "-DUNRELATED", "-I."}));
}

TEST(RequestKey, KnowsNoPlaceOfUnnamedEnum) {
  const auto with_enum = [](const std::string& in_front) {
    return Snippet(in_front + "enum { kTaps = 3 };\n#pragma hone kernel inout(x[0:n]) problem(n=64)\n"
                              "void f(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= kTaps; }\n");
  };
  EXPECT_EQ(with_enum("").key(), with_enum("int unrelated();\n").key()) << "in another folder, on another line";
  EXPECT_THAT(with_enum("").kernel().key_dump, testing::Not(testing::HasSubstr("/")));
}

TEST(RequestKey, SaysWhereItsPartsStand) {
  const auto kernel = Snippet(kSource).with_file("own.h", kSharedHeader).kernel();
  std::map<std::string, std::string> places;
  for (const KeyField& field : kernel.key_fields)
    if (field.line)
      places[field.name] = std::filesystem::path(field.file).filename().string() + ":" + std::to_string(field.line);
  EXPECT_EQ(places["macro FACTOR"], "main.cpp:2");
  EXPECT_EQ(places["reaches app::helper"], "main.cpp:8");
  EXPECT_EQ(places["annotation"], "main.cpp:10");
  EXPECT_EQ(places["definition"], "main.cpp:11");
  EXPECT_EQ(places["reaches from_header"], "own.h:1");
}

TEST(RequestKey, ChangesWithWhatKernelReaches) {
  const std::string key = key_of(kSource);
  EXPECT_NE(key, key_after("__builtin_sqrtf(x)", "__builtin_cbrtf(x)"));
  EXPECT_NE(key, key_after("int age;", "long age;"));
  EXPECT_NE(key, key_after("kLimit = 10", "kLimit = 12"));  // the clause's
  EXPECT_NE(key, key_after("FACTOR 3", "FACTOR 4"));        // the helper's
  EXPECT_NE(key, key_after("i < n", "i < n - 1"));
  EXPECT_NE(key, key_after("problem(n=kLimit)", "problem(n=kLimit) problem(n=7)"));
  EXPECT_NE(key, key_after("namespace app {", "namespace app2 {"));
  EXPECT_NE(key, key_of(kSource, test::replaced(kSharedHeader, "return 1", "return 3")));
  EXPECT_NE(key, key_of(kSource, kSharedHeader, {"-std=c++20"}));
  EXPECT_NE(key, key_of(kSource, kSharedHeader, {"-std=c++17", "-ffast-math"}));
  EXPECT_NE(key, key_of(kSource, kSharedHeader, {"-std=c++17", "-mavx2"}));
  EXPECT_NE(key, key_of(kSource, kSharedHeader, {"-std=c++17", "-DFAST"}));
  EXPECT_NE(key, key_of(kSource, kSharedHeader, {"-std=c++17", "-fno-strict-aliasing"}));
}

// Clang reads the file here; g++ may take the branch that Clang leaves out.
TEST(RequestKey, KnowsAllBranchesWhereConditionAsksForCompiler) {
  const std::string source = test::replaced(kSource, "const float fast = 1;", "const float fast = 3;");
  const auto asked = [](const std::string& text, const std::string& condition) {
    return key_of(test::replaced(text, "#ifdef FAST", condition));
  };
  EXPECT_EQ(asked(kSource, "#if FAST > 1"), asked(source, "#if FAST > 1"));
  EXPECT_NE(asked(kSource, "#if __GNUC__ > 20"), asked(source, "#if __GNUC__ > 20"));
  EXPECT_NE(asked(kSource, "#ifdef _ENABLE_FAST"), asked(source, "#ifdef _ENABLE_FAST"));
}

// A variant that is faster with one compiler may be slower with another.
TEST(RequestKey, KnowsCompilerAndOptionsThatShapeCode) {
  const auto with = [](const std::string& compiler, std::vector<std::string> flags) {
    Snippet snippet(kSource);
    CompileCommand command = snippet.with_file("own.h", kSharedHeader).command();
    command.arguments = {compiler, "-std=c++17"};
    command.arguments.insert(command.arguments.end(), flags.begin(), flags.end());
    command.arguments.insert(command.arguments.end(), {"-c", "main.cpp", "-o", "main.o"});
    return find_kernels(command, {.units = false})->kernels.at(0).spec;
  };
  const KernelSpec spec = with("g++", {"-O2"});
  EXPECT_THAT(spec.key_dump, testing::HasSubstr("compiled with: gcc -O2\n"));
  EXPECT_EQ(with("/usr/bin/g++", {"-O3", "-O2", "-fPIC", "-g"}).key, spec.key);
  for (const auto& [compiler, flags] : std::vector<std::pair<std::string, std::vector<std::string>>>{
           {"clang++", {"-O2"}}, {"g++", {}}, {"g++", {"-O3"}}, {"g++", {"-O2", "-fno-tree-vectorize"}}})
    EXPECT_NE(with(compiler, flags).key, spec.key) << compiler;
}

// What the key says of an annotation without the clause is what it said before there was one.
TEST(RequestKey, MentionsFixedOnlyWithFixedClause) {
  const std::string source =
      "#pragma hone kernel inout(x[0:n]) problem(n=64, a=2)\nvoid f(float* x, int n, float a) { x[0] = a; }\n";
  const KernelSpec spec = Snippet(source).kernel();
  EXPECT_THAT(spec.key_dump, testing::HasSubstr(" problem(a=2, n=64, weight=1) threads(1)\n"));
  EXPECT_THAT(spec.key_dump, testing::Not(testing::HasSubstr("fixed")));
  EXPECT_NE(spec.key, key_of(test::replaced(source, "a=2)", "a=2) fixed(a)")));
}

TEST(RequestKey, ChangesWhenOverloadTakesOver) {
  const char* source =
      "inline double pick(double x) { return x; }\n#pragma hone kernel inout(x[0:4])\nvoid f(float* x) { x[0] = "
      "pick(x[0]); }\n";
  EXPECT_NE(key_of(source),
            key_of(test::replaced(source, "#pragma", "inline float pick(float x) { return -x; }\n#pragma")));
  EXPECT_EQ(key_of(source),
            key_of(test::replaced(source, "#pragma", "inline float pick(float* x) { return *x; }\n#pragma")));
}

TEST(RequestKey, IgnoresOrderOfIndependentDeclarations) {
  const std::string one = "#define TWO 2\n", other = "#define THREE 3\n";
  const std::string half = "static float half(float v) { return v / TWO; }\n";
  const std::string part = "struct Part { float of; };\n";
  const std::string third = part + "static float third(Part v) { return v.of / THREE; }\n";
  const std::string prototype = "static float half(float);\n";
  const std::string kernel =
      "#pragma hone kernel inout(x[0:4])\nvoid f(float* x) { x[0] = half(third(Part{x[0]}) + half(x[1])); }\n";
  const std::string key = key_of(one + other + half + third + kernel);
  EXPECT_EQ(key, key_of(other + one + third + half + kernel));
  EXPECT_EQ(key, key_of(part + one + other + half + third.substr(part.size()) + kernel));
  EXPECT_EQ(key_of(one + other + prototype + third + half + kernel),
            key_of(one + other + third + prototype + half + kernel));
}

TEST(RequestKey, ChangesWhenOrderChangesNameLookup) {
  const std::string narrow = "inline float pick(float v) { return v; }\n";
  const std::string wide = "inline double pick(double v) { return v + 1; }\n";
  const std::string user = "inline float use() { return pick(1.0); }\n";  // the overload that stands in front of it
  const std::string kernel =
      "#pragma hone kernel inout(x[0:4])\nvoid f(float* x) { x[0] = pick(1.0f) + pick(1.0) + use(); }\n";
  EXPECT_NE(key_of(narrow + wide + user + kernel), key_of(narrow + user + wide + kernel));

  const std::string global = "inline float pick(float v) { return v; }\n";
  const std::string inner = "namespace app { inline float pick(float v) { return -v; } }\n";
  const std::string within = "namespace app { inline float use(float v) { return pick(v); } }\n";
  const std::string both =
      "#pragma hone kernel inout(x[0:4])\nvoid f(float* x) { x[0] = pick(x[1]) + app::pick(x[2]) + app::use(x[3]); }\n";
  EXPECT_NE(key_of(global + inner + within + both), key_of(global + within + inner + both));
}

TEST(RequestKey, ListsProcessorFeaturesInsteadOfNative) {
  const KernelSpec spec =
      Snippet("#pragma hone kernel inout(x[0:4])\nvoid f(float* x) { x[0] = 1; }\n", {"-march=native"}).kernel();
  EXPECT_THAT(spec.key_dump, testing::Not(testing::HasSubstr("native")));
  EXPECT_THAT(spec.target, testing::HasSubstr(" sse2"));
  EXPECT_THAT(spec.key_dump, testing::HasSubstr("void f ( float * x )"));
  EXPECT_THAT(spec.key_dump, testing::Not(testing::HasSubstr("/")));
}

TEST(RequestKey, IsSameWithAndWithoutUnits) {
  Snippet snippet(kSource);
  snippet.with_file("own.h", kSharedHeader);
  EXPECT_EQ(snippet.key(), snippet.kernel().key);
}

}  // namespace
}  // namespace hone::frontend
