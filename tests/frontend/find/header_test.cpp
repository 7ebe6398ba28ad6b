// Kernels in headers of the project.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kHeader = R"(#pragma once
#include "detail.h"
#pragma hone kernel inout(x[0:n]) problem(n=64)
inline void scale(float* x, int n) {
  for (int i = 0; i < n; ++i) x[i] *= factor;
}
)";

Snippet project(const std::string& main = "#include \"lib/scale.h\"\nint other() { return __LINE__; }\n") {
  Snippet snippet(main);
  snippet.with_file("CMakeLists.txt", "");
  snippet.with_file("lib/scale.h", kHeader);
  snippet.with_file("lib/detail.h", "#ifndef D\n#define D\nconst float factor = 2;\n#endif\n");
  return snippet;
}

TEST(KernelInHeader, IsKnownByItsHeader) {
  const Snippet snippet = project();
  const KernelSpec spec = snippet.kernel();
  EXPECT_EQ(spec.name, "scale");
  EXPECT_EQ(spec.file, (snippet.folder() / "lib/scale.h").string());
  EXPECT_EQ(spec.line, 3u);
}

TEST(KernelInHeader, HasOneKeyInAllFilesThatIncludeIt) {
  const std::string key = project().key();
  EXPECT_EQ(project("int before;\n#include <vector>\n#include \"lib/scale.h\"\n#include \"lib/scale.h\"\n").key(), key);
  Snippet through = project("#include \"through.h\"\n#include \"lib/scale.h\"\n");
  through.with_file("through.h", "#include \"lib/scale.h\"\n");
  EXPECT_EQ(through.key(), key);
}

TEST(KernelInHeader, MistakeIsReportedThere) {
  Snippet snippet = project("#include <vector>\n\n#include \"lib/scale.h\"\n");
  snippet.with_file("lib/scale.h",
                    "#pragma once\n\n#pragma hone kernel inout(y[0:n])\ninline void f(float* x, int n) {}\n");
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.diagnostics[0].file, EndsWith("lib/scale.h"));
  EXPECT_EQ(found.diagnostics[0].line, 3u);
  EXPECT_THAT(found.diagnostics[0].rendered, HasSubstr("lib/scale.h:3:27: error: "));
}

// Every line keeps the number and the name that the compiler knows it by.
TEST(KernelInHeader, KeepsPlacesOfAllLines) {
  const Snippet snippet = project("int a;  // 1\n  #include \"lib/scale.h\"  // 2\nint b;\n");
  const FoundKernels found = snippet.find(false);
  const std::string text = rewrite(found.file, {});
  EXPECT_THAT(text, HasSubstr("int a;  // 1\n"));
  EXPECT_THAT(text, HasSubstr("\n#line 1 \"./lib/scale.h\"\n"));
  EXPECT_THAT(text, HasSubstr("#line 2 \"main.cpp\"\n"));
  EXPECT_THAT(text, HasSubstr("  // 2\nint b;\n"));
  EXPECT_THAT(text, Not(HasSubstr("pragma once")));
  const Origins& origins = found.file.origins;
  const FilePlace place = origins.place(found.file.text, found.kernels.at(0).placement.begin);
  EXPECT_THAT(place.file, EndsWith("lib/scale.h"));
  EXPECT_EQ(place.line, 4u);
}

// A file of the same name beside the source is another one.
TEST(KernelInHeader, KeepsWhatItsIncludesMean) {
  Snippet snippet = project();
  const std::string key = snippet.key();
  snippet.with_file("detail.h", "const float factor = 3;\n");
  EXPECT_EQ(snippet.key(), key);
  EXPECT_THAT(snippet.kernel().unit.prologue + snippet.kernel().unit.opening, HasSubstr("/lib/detail.h\""));
}

TEST(KernelInHeader, IsFoundBehindIncludeThatMacroNames) {
  const Snippet snippet = project("#define SCALE \"lib/scale.h\"\n#include SCALE\n");
  EXPECT_EQ(snippet.kernel().name, "scale");
}

// A specialization is not inline because its template is in a header.
TEST(KernelInHeader, InstanceOfTemplateIsInline) {
  Snippet snippet = project("#include \"lib/scale.h\"\nvoid f(float* x) { twice(x, 2); }\n");
  snippet.with_file("lib/scale.h",
                    "#pragma once\n#pragma hone kernel inout(x[0:n]) problem(n=64) instantiate(T=float)\n"
                    "template <class T> void twice(T* x, int n) { for (int i = 0; i < n; ++i) x[i] += x[i]; }\n");
  const KernelSpec spec = snippet.kernel();
  EXPECT_EQ(spec.name, "twice<float>");
  EXPECT_EQ(spec.line, 2u);
  EXPECT_THAT(spec.unit.definition, testing::StartsWith("template <> inline void twice<float>("));
}

TEST(KernelInHeader, OutsideOfProjectIsLeftAlone) {
  Snippet snippet("#include \"../outside/k.h\"\nint x;\n", {"-std=c++17"}, "project/main.cpp");
  snippet.with_file("project/CMakeLists.txt", "");
  snippet.with_file("outside/k.h", kHeader).with_file("outside/detail.h", "const float factor = 2;\n");
  CompileCommand command = snippet.command();
  command.directory = snippet.folder() / "project";
  command.arguments = {"g++", "-c", "main.cpp"};
  const auto found = find_kernels(command, {});
  ASSERT_TRUE(found);
  EXPECT_THAT(found->kernels, IsEmpty());
  EXPECT_THAT(found->diagnostics, IsEmpty());
}

TEST(KernelInHeader, OfCommandLineIsReported) {
  Snippet snippet = project("int x;\n");
  snippet.with_flags({"-std=c++17", "-include", "lib/scale.h"});
  const FoundKernels found = snippet.find();
  EXPECT_THAT(found.kernels, IsEmpty());
  ASSERT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.diagnostics[0].message, HasSubstr("comes from the command line"));
}

}  // namespace
}  // namespace hone::frontend
