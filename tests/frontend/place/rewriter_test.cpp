// Variants put into the text; what the compiler then sees.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/frontend/first_error.h"
#include "tests/frontend/snippet.h"
#include "tool/base/annotation_scan.h"
#include "tool/frontend/gate/fingerprint.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::frontend {
namespace {

std::string rewritten(const Snippet& snippet, const std::map<std::string, std::string>& variants) {
  std::vector<Replacement> replacements;
  for (const FoundKernel& kernel : snippet.find(false).kernels)
    if (auto found = variants.find(kernel.spec.name); found != variants.end())
      replacements.push_back({kernel.placement, found->second, "hone/cas/" + kernel.spec.name});
  EXPECT_EQ(replacements.size(), variants.size());
  return rewrite(snippet.text(), "main.cpp", replacements);
}

// The program's output.
std::string run(const Snippet& snippet, const std::string& text) {
  const std::string base = snippet.folder().string() + "/shadow";
  EXPECT_TRUE(os::write_file_atomically(base + ".cpp", text));
  const std::string command = "g++ -std=c++17 -Wall -Wno-unknown-pragmas -Werror -o " + base + " " + base + ".cpp 2> " +
                              base + ".log && " + base + " > " + base + ".out";
  EXPECT_EQ(std::system(command.c_str()), 0) << os::read_file(base + ".log").value_or("") << text;
  return os::read_file(base + ".out").value_or("");
}

TEST(Rewriter, ReplacesSeveralKernelsAndMovesNothingElse) {
  Snippet snippet(R"code(#include <cstdio>
namespace app {
namespace { int line1() { return __LINE__; }
#pragma hone kernel inout(x[0:4])
void f(int* x) {
  x[0] = 1;
} int line2() { return __LINE__; }
}
#pragma hone kernel inout(x[0:4])
/* remark */ static void g(int* x) { x[1] = 2; } int line3() { return __LINE__; }
void both(int* x) { f(x); g(x); }
}
#pragma hone kernel inout(x[0:4])
void h(int* x) { x[2] = 3; }
int main() { int x[4] = {}; app::both(x); h(x);
  std::printf("%d %d %d | %d %d %d %d %s", x[0], x[1], x[2], app::line1(), app::line2(), app::line3(), __LINE__, __FILE__); }
)code");
  const std::string original = run(snippet, rewrite(snippet.text(), "main.cpp", {}));
  EXPECT_EQ(original, "1 2 3 | 3 7 10 16 main.cpp");
  const std::string variant = run(
      snippet,
      rewritten(snippet,
                {{"app::f", "#include <vector>\nint more() { return 9; }\nvoid f(int* x) {\n  x[0] = more() + 1;\n}"},
                 {"app::g", "static void g(int* x) { x[1] = __LINE__; }\n"},
                 {"h", "#include <cmath>\n\nvoid h(int* x) { x[2] = __LINE__; }"}}));
  EXPECT_EQ(variant, "10 1 3 | 3 7 10 16 main.cpp");
}

TEST(Rewriter, PutsIncludesBeforeOutermostNamespace) {
  Snippet snippet(
      "int a;\nnamespace x { namespace y {\n#pragma hone kernel inout(p[0:4])\ninline void f(int* p) { p[0] = 1; "
      "}\n}}\n");
  EXPECT_EQ(
      rewritten(snippet, {{"x::y::f", "#include <vector>\ninline void f(int* p) { p[0] = 2; }\n"}}),
      "#line 1 \"main.cpp\"\nint a;\n#line 1 \"hone/cas/x::y::f\"\n#include <vector>\n#line 2 "
      "\"main.cpp\"\nnamespace x { namespace y {\n"
      "#pragma hone kernel inout(p[0:4])\n#line 2 \"hone/cas/x::y::f\"\ninline void f(int* p) { p[0] = 2; }\n#line 4 "
      "\"main.cpp\"\n"
      "                                   \n}}\n");
}

TEST(Rewriter, HandlesCarriageReturnsByteOrderMarkAndMissingNewline) {
  Snippet snippet(
      "\xEF\xBB\xBF#include <cstdio>\r\nint main();\r\n#pragma hone kernel \\\r\n  inout(x[0:4])\r\nvoid f(int* "
      "x)\r\n{\r\n  x[0] = 1;\r\n}\r\nint main() { int x[4]; f(x); std::printf(\"%d %d\", x[0], __LINE__); }");
  EXPECT_EQ(run(snippet, rewritten(snippet, {{"f", "void f(int* x) { x[0] = 7; }"}})), "7 9");
  Snippet last("int main() {}\n#pragma hone kernel inout(x[0:4])\nvoid f(int* x) { x[0] = 1; }");
  EXPECT_EQ(run(last, rewritten(last, {{"f", "void f(int* x) { x[0] = 7; }"}})), "");
}

TEST(FirstError, ReportsRedefinitionByVariant) {
  Snippet snippet(
      "int helper() { return 1; }\n#pragma hone kernel inout(x[0:4])\nvoid f(int* x) { x[0] = 1; }\nint main() { "
      "return helper(); }\n");
  EXPECT_EQ(first_error(snippet.command(), rewritten(snippet, {{"f", "void f(int* x) { x[0] = 2; }\n"}}), {}), "");
  EXPECT_EQ(
      first_error(snippet.command(),
                  rewritten(snippet, {{"f", "int helper() { return 2; }\nvoid f(int* x) { x[0] = helper(); }\n"}}), {}),
      "hone/cas/f:1:5: redefinition of 'helper'");
}

TEST(FirstError, IgnoresErrorsThatFileHadBefore) {
  Snippet snippet(
      "#pragma hone kernel inout(x[0:4])\nvoid f(int* x) { x[0] = 1; }\nint broken() { return nothing_here; }\n",
      {"-std=c++17", "-Wall", "-Werror", "-Werror=unused-variable"});
  const std::size_t at = snippet.text().find("void f");
  const auto with = [&](const std::string& definition) {
    std::string text = snippet.text();
    return text.replace(at, text.find('\n', at) - at, definition);
  };
  EXPECT_EQ(first_error(snippet.command(), snippet.text(), {}), "");
  EXPECT_EQ(first_error(snippet.command(), with("void f(int* x) { int unused; x[0] = 2; }"), {}), "");
  EXPECT_EQ(first_error(snippet.command(), with("void f(int* x) { x[0] = nothing_there; }"), {}),
            "main.cpp:2:25: use of undeclared identifier 'nothing_there'");
}

TEST(Rewriter, EscapesFileNames) {
  EXPECT_EQ(rewrite("int x;\n", "a\"b\\c.cpp", {}), "#line 1 \"a\\\"b\\\\c.cpp\"\nint x;\n");
}

TEST(Fingerprint, IgnoresOnlyLayoutAndComments) {
  const std::string base = fingerprint("int f(int x) { return x+1; }\n#pragma omp simd\nint y;\n");
  EXPECT_EQ(base, fingerprint("int f( int x ){ // why\n  return x + /* one */ 1;\n}\n#pragma   omp  simd\nint  y;"));
  EXPECT_NE(base, fingerprint("int f(int x) { return x+2; }\n#pragma omp simd\nint y;\n"));
  EXPECT_NE(base, fingerprint("int f(int x) { return x+1; }\n#pragma omp simd int y;\n"));
  EXPECT_NE(fingerprint("auto s = \"a  b\";"), fingerprint("auto s = \"a b\";"));
  EXPECT_EQ(fingerprint("int lo\\\nng;"), fingerprint("int long;"));
}

TEST(AnnotationScan, FindsEverySpellingOfPragma) {
  for (const char* text : {"#pragma hone kernel", "#pragma   hone  kernel", "# pragma hone\tkernel",
                           "_Pragma(\"hone kernel\")", "%:pragma hone kernel", "#pragma \\\n hone kernel",
                           "#pra\\\ngma ho\\\nne kernel", "#/**/pragma/**/hone kernel"})
    EXPECT_TRUE(mentions_hone(text)) << text;
  EXPECT_FALSE(mentions_hone("#include <vector>\n#pragma omp simd\nint main() { return 0; }\n"));
}

}  // namespace
}  // namespace hone::frontend
