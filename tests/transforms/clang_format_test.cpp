#include "tool/transforms/clang_format.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/fingerprint.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* kFlat =
    "#include <b>\n#include <a>\nvoid f(int*p){\nfor(int i=0;i<9;++i){\n#pragma GCC ivdep\nfor(;;)p[i]=1;\n}\n}\n";

// The text as it is laid out in a project whose only source is `source`.
std::string laid_out_beside(const std::string& source, const std::string& text, const char* name = "main.cpp") {
  const Snippet project(source, {"-std=c++17"}, name);
  return Layout((project.folder() / name).string()).laid_out(text);
}

TEST(ClangFormat, IndentsAndKeepsTokens) {
  const std::string text = laid_out_beside("", kFlat);
  EXPECT_NE(text.find("\n  for (int i = 0; i < 9; ++i) {\n"), std::string::npos) << text;
  EXPECT_LT(text.find("<b>"), text.find("<a>"));
  EXPECT_EQ(fingerprint(text), fingerprint(kFlat));
}

TEST(ClangFormat, FollowsProjectStyle) {
  Snippet project("void f(int* p)\n{\n    *p = 1;\n}\n");
  project.with_file(".clang-format", "BasedOnStyle: LLVM\nIndentWidth: 8\n");
  const Layout layout((project.folder() / "main.cpp").string());
  EXPECT_THAT(layout.laid_out(kFlat), HasSubstr("void f(int *p) {\n        for (int i"));
}

TEST(ClangFormat, LeavesCommentsInTheirLines) {
  Snippet project("");
  project.with_file(".clang-format", "BasedOnStyle: Google\nColumnLimit: 40\nReflowComments: true\n");
  const std::string sentence =
      "// What is far from the edge is averaged, and what is near keeps the value that it had.\n";
  const std::string note = "/* a note behind a statement, which is longer than a line may be here */\n";
  const std::string text = Layout((project.folder() / "main.cpp").string())
                               .laid_out(sentence + "void f(int* p) {\n  *p = 1;  " + note + "}\n");
  EXPECT_THAT(text, StartsWith(sentence));
  EXPECT_THAT(text, HasSubstr(note));
}

TEST(ClangFormat, IgnoresBrokenStyleFile) {
  Snippet project("");
  project.with_file(".clang-format", "IndentWidth: [\n");
  EXPECT_THAT(Layout((project.folder() / "main.cpp").string()).laid_out(kFlat), HasSubstr("\n  for (int i"));
}

TEST(ClangFormat, KeepsCudaLaunchBracketsTogether) {
  const std::string compared = "void f(int n){\nk<<<n < 9 ? n : 9, 32>>>(n);\n}\n";
  EXPECT_THAT(laid_out_beside("", compared, "main.cu"), HasSubstr("k<<<n"));
  EXPECT_EQ(laid_out_beside("", "void f(int n){\nk<<<n,32>>>(n);\n}\n", "main.cu"),
            "void f(int n) { k<<<n, 32>>>(n); }\n");
}

// What each style's source says of the same tokens.
constexpr const char* kVariant =
    "static float*next(float*p,int n){return p+n;}\nvoid scale(const float*x,float*y,int n,float a){if(n<0)return;\n"
    "for(int i=0;i<n;++i){const float&v=x[i];if(v>0){y[i]=a*v;}else{y[i]=v;}}}\n";

struct Style {
  const char* name;
  std::string source;
  std::string variant;
};

std::ostream& operator<<(std::ostream& out, const Style& style) {
  return out << style.name;
}

const Style google{"Google", R"(#include <cmath>

// Halves what is too large.
#pragma hone kernel in(x[0 : n]) out(y[0 : n]) problem(n = 1000)
void halve(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float& v = x[i];
    if (v > 1) {
      y[i] = v / 2;
    } else {
      y[i] = v;
    }
  }
}
)",
                   R"(static float* next(float* p, int n) { return p + n; }
void scale(const float* x, float* y, int n, float a) {
  if (n < 0) return;
  for (int i = 0; i < n; ++i) {
    const float& v = x[i];
    if (v > 0) {
      y[i] = a * v;
    } else {
      y[i] = v;
    }
  }
}
)"};

const Style allman{"AllmanOfFour", R"(#include <cmath>

static int half(int n)
{
    return n / 2;
}

#pragma hone kernel in(x[0 : n]) out(y[0 : n]) problem(n = 1000)
void halve(const float *x, float *y, int n)
{
    for (int i = 0; i < n; ++i)
    {
        if (x[i] > 1)
        {
            y[i] = x[i] / 2;
        }
        else
        {
            y[i] = x[i] * half(n);
        }
    }
}
)",
                   R"(static float *next(float *p, int n)
{
    return p + n;
}
void scale(const float *x, float *y, int n, float a)
{
    if (n < 0)
        return;
    for (int i = 0; i < n; ++i)
    {
        const float &v = x[i];
        if (v > 0)
        {
            y[i] = a * v;
        }
        else
        {
            y[i] = v;
        }
    }
}
)"};

const Style tabs{"Tabs", R"(#include <math.h>

static int half(int n)
{
	return n / 2;
}

#pragma hone kernel in(x[0 : n]) out(y[0 : n]) problem(n = 1000)
void halve(const float *x, float *y, int n)
{
	for (int i = 0; i < n; ++i) {
		if (x[i] > 1) {
			y[i] = x[i] / 2;
		} else {
			y[i] = x[i] * half(n);
		}
	}
}
)",
                 R"(static float *next(float *p, int n)
{
	return p + n;
}
void scale(const float *x, float *y, int n, float a)
{
	if (n < 0)
		return;
	for (int i = 0; i < n; ++i) {
		const float &v = x[i];
		if (v > 0) {
			y[i] = a * v;
		} else {
			y[i] = v;
		}
	}
}
)"};

const Style wide{"WideOfFour", R"(#include <cmath>

#pragma hone kernel in(x[0 : n], weights[0 : n]) out(y[0 : n]) problem(n = 1000)
void halve(const float* x, const float* weights, float* y, int n, float threshold, float factor) {
    for (int i = 0; i < n; ++i) {
        const float weighted = x[i] * weights[i] + threshold * factor * weights[n - 1 - i] / 2;
        y[i] = weighted > threshold ? weighted * factor : weighted / 2;
    }
}
)",
                 R"(static float* next(float* p, int n) { return p + n; }
void scale(const float* x, float* y, int n, float a) {
    if (n < 0)
        return;
    for (int i = 0; i < n; ++i) {
        const float& v = x[i];
        if (v > 0) {
            y[i] = a * v;
        } else {
            y[i] = v;
        }
    }
}
)"};

class SourceStyle : public testing::TestWithParam<Style> {};

TEST_P(SourceStyle, IsTheVariants) {
  const std::string text = laid_out_beside(GetParam().source, kVariant);
  EXPECT_EQ(text, GetParam().variant);
  EXPECT_EQ(fingerprint(text), fingerprint(kVariant));
}

TEST_P(SourceStyle, LeavesItsOwnSource) {
  EXPECT_EQ(laid_out_beside(GetParam().source, GetParam().source), GetParam().source);
}

INSTANTIATE_TEST_SUITE_P(Styles, SourceStyle, testing::Values(google, allman, tabs, wide),
                         [](const auto& info) { return info.param.name; });

TEST(SourceStyle, SaysHowLongLinesMayBe) {
  const auto columns = [](const Style& style) {
    const Snippet project(style.source);
    return Layout((project.folder() / "main.cpp").string()).column_limit();
  };
  EXPECT_EQ(columns(wide), 100u);
  EXPECT_EQ(columns(google), 80u);
}

TEST(SourceStyle, CountsWhereStyleFileFormatsNothing) {
  Snippet project(allman.source);
  project.with_file(".clang-format", "DisableFormat: true\n");
  EXPECT_EQ(Layout((project.folder() / "main.cpp").string()).laid_out(kVariant), allman.variant);
}

TEST(SourceStyle, IsOfLinesAroundAnnotationInLongSource) {
  std::string others, near;
  for (int i = 0; i < 2000; ++i) others += "void other_" + std::to_string(i) + "(float *x)\n{\n\t*x = 1;\n}\n";
  for (int i = 0; i < 60; ++i) near += "void near_" + std::to_string(i) + "(float* x) {\n  *x = 1;\n  return;\n}\n";
  EXPECT_EQ(laid_out_beside(others + near + google.source + near + near + near + near + others, kVariant),
            google.variant);
}

TEST(SourceStyle, BearsSourceThatIsNoText) {
  for (const std::string& source : {std::string("\0\xff\xfe{{{", 6), std::string("}}}((("), std::string("\n\n\r\n")})
    EXPECT_EQ(fingerprint(laid_out_beside(source, kVariant)), fingerprint(kVariant));
}

}  // namespace
}  // namespace hone::frontend
