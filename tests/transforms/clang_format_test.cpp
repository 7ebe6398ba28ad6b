#include "tool/transforms/clang_format.h"

#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/fingerprint.h"

namespace hone::frontend {
namespace {

constexpr const char* kFlat =
    "#include <b>\n#include <a>\nvoid f(int*p){\nfor(int i=0;i<9;++i){\n#pragma GCC ivdep\nfor(;;)p[i]=1;\n}\n}\n";

TEST(ClangFormat, IndentsAndKeepsTokens) {
  const Snippet project("");
  const std::string text = laid_out(kFlat, (project.folder() / "main.cpp").string());
  EXPECT_NE(text.find("\n  for (int i = 0; i < 9; ++i) {\n"), std::string::npos) << text;
  EXPECT_LT(text.find("<b>"), text.find("<a>"));
  EXPECT_EQ(fingerprint(text), fingerprint(kFlat));
}

TEST(ClangFormat, FollowsProjectStyle) {
  Snippet project("");
  project.with_file(".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 8\n");
  EXPECT_NE(laid_out(kFlat, (project.folder() / "main.cpp").string()).find("\n        for (int i"), std::string::npos);
}

TEST(ClangFormat, IgnoresBrokenStyleFile) {
  Snippet project("");
  project.with_file(".clang-format", "IndentWidth: [\n");
  EXPECT_NE(laid_out(kFlat, (project.folder() / "main.cpp").string()).find("\n  for (int i"), std::string::npos);
}

TEST(ClangFormat, KeepsCudaLaunchBracketsTogether) {
  const Snippet project("");
  const std::string file = (project.folder() / "main.cu").string();
  const std::string compared = "void f(int n){\nk<<<n < 9 ? n : 9, 32>>>(n);\n}\n";
  EXPECT_NE(laid_out(compared, file).find("k<<<n"), std::string::npos) << laid_out(compared, file);
  EXPECT_EQ(laid_out("void f(int n){\nk<<<n,32>>>(n);\n}\n", file), "void f(int n) { k<<<n, 32>>>(n); }\n");
}

}  // namespace
}  // namespace hone::frontend
