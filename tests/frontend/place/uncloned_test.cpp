// Callers in the variant's own source call it as it was judged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/frontend/snippet.h"
#include "tool/frontend/place/rewriter.h"

namespace hone::frontend {
namespace {

using testing::ContainsRegex;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

std::string pragma(const std::string& clauses = "inout(x[0:n])") {
  return "#pragma hone kernel " + clauses + "\n";
}

std::string called_as_it_is(const std::string& text) {
  const Snippet snippet(text);
  const FoundKernels found = snippet.find(false);
  EXPECT_EQ(found.kernels.size(), 1u) << text;
  return found.kernels.empty() ? "" : found.kernels.front().placement.uncloned;
}

TEST(Uncloned, LeavesWhatIsCopiedOnPurposeOrForSeveralProcessors) {
  for (const char* function : {
           "inline void f(int* x, int n) { x[n - 1] = 1; }",
           "constexpr void f(int* x, int n) { x[n - 1] = 1; }",
           "__attribute__((always_inline)) void f(int* x, int n) { x[n - 1] = 1; }",
           "__attribute__((target_clones(\"default\", \"avx2\"))) void f(int* x, int n) { x[n - 1] = 1; }",
       })
    EXPECT_THAT(called_as_it_is(pragma() + function + "\n"), IsEmpty()) << function;
  EXPECT_THAT(
      called_as_it_is("struct S {\n" + pragma() + "inline static void f(int* x, int n) { x[n - 1] = 1; }\n};\n"),
      IsEmpty());
  EXPECT_THAT(called_as_it_is("#define EXTERN_C extern \"C\"\n" + pragma() +
                              "EXTERN_C void f(int* x, int n) { x[n - 1] = 1; }\n"),
              IsEmpty());
}

TEST(Uncloned, TakesHeadersInlineForNoWishToCopy) {
  Snippet snippet("#include \"f.h\"\nvoid caller(int* x) { f(x, 8); }\n");
  snippet.with_file("f.h", "#pragma once\n" + pragma() + "inline void f(int* x, int n) { x[n - 1] = 1; }\n");
  const FoundKernels found = snippet.find(false);
  ASSERT_EQ(found.kernels.size(), 1u);
  EXPECT_EQ(found.kernels.front().placement.uncloned, "f");
}

const std::string loop = "for (int i = 0; i < n; ++i)";
const std::string body = "{ " + loop + " x[i] = i; }\n";

// A source with one annotated function, and `caller`, which calls it with constants.
struct Source {
  const char* name;
  std::string text;
  std::string symbol;  // a regular expression: how the caller names the function
};

const Source sources[] = {
    {"Function", pragma() + "void f(int* x, int n) " + body + "void caller(int* x) { f(x, 8); }\n", "_Z1fPii"},
    {"StaticFunction",
     pragma() + "static void f(int* x, int n)  // all of it\n" + body + "void caller(int* x) { f(x, 8); }\n",
     "_ZL1fPii"},
    {"ExternC", pragma() + "extern \"C\" void f(int* x, int n) " + body + "void caller(int* x) { f(x, 8); }\n",
     "<f>|\tf-0x4"},
    {"QualifiedName",
     "namespace app { void f(int* x, int n = 4); }\n" + pragma() + "void app::f(int* x, int n) " + body +
         "void caller(int* x) { app::f(x, 8); }\n",
     "_ZN3app1fEPii"},
    {"TrailingReturnType",
     pragma() + "[[nodiscard]] auto f(int* x, int n = 4) -> int { " + loop + " x[i] = i;\n return n; }\n" +
         "int caller(int* x) { return f(x, 8); }\n",
     "_Z1fPii"},
    {"TargetOfItsOwn",
     pragma() + "__attribute__((target(\"avx2\"))) void f(int* x, int n) " + body +
         "void caller(int* x) { f(x, 8); }\n",
     "_Z1fPii"},
    {"Member",
     "struct S { static void f(int* x, int n); };\n" + pragma() + "void S::f(int* x, int n) " + body +
         "void caller(int* x) { S::f(x, 8); }\n",
     "_ZN1S1fEPii"},
    {"MemberInItsClass",
     "class S {\n" + pragma() + "static void f(int* x, int n) " + body + "friend void caller(int*);\n};\n" +
         "void caller(int* x) { S::f(x, 8); }\n",
     "_ZN1S1fEPii"},
    {"CallOperator",
     "struct S {\n" + pragma() + "void operator()(int* x, int n) const " + body +
         "};\nvoid caller(int* x) { S()(x, 8); }\n",
     "_ZNK1SclEPii"},
    {"Instance",
     pragma("inout(x[0:n]) instantiate(T=int)") + "template <class T> void f(T* x, int n) " + body +
         "void caller(int* x) { f(x, 8); }\n",
     "_Z1fIiEvPT_i"},
    {"MemberOfClassTemplate",
     "template <class T> struct S {\n" + pragma("inout(x[0:n]) instantiate(T=int)") + "static void f(T* x, int n) " +
         body + "};\nvoid caller(int* x) { S<int>::f(x, 8); }\n",
     "_ZN1SIiE1fEPii"},
    {"Lambda",
     pragma() + "auto f = [](int* x, int n) " + body.substr(0, body.size() - 1) + ";\n" +
         "void caller(int* x) { f(x, 8); }\n",
     "_lambda"},
};

// What g++ and Clang make of a caller with constants.
class UnclonedBy : public testing::TestWithParam<std::tuple<const char*, Source>> {
 protected:
  // The object's code, where `variant` makes the variant of what stands in the kernel's place.
  static std::string code(const std::string& text, const std::function<std::string(std::string)>& variant) {
    const Snippet snippet(text);
    const FoundKernels found = snippet.find();
    EXPECT_EQ(found.kernels.size(), 1u) << text;
    if (found.kernels.empty()) return "";
    const FoundKernel& kernel = found.kernels.front();
    const std::string base = snippet.folder().string() + "/shadow";
    EXPECT_TRUE(os::write_file_atomically(
        base + ".cpp", rewrite(found.file, {{kernel.placement, variant(kernel.spec.unit.definition), "hone/cas/f"}})));
    const std::string command = std::string(std::get<0>(GetParam())) +
                                " -O3 -Wall -Wextra -Wredundant-decls -Wno-unknown-pragmas -Werror -c -o " + base +
                                ".o " + base + ".cpp > " + base + ".log 2>&1 && objdump -dr " + base + ".o > " + base +
                                ".code";
    EXPECT_EQ(std::system(command.c_str()), 0)
        << os::read_file(base + ".log").value_or("") << os::read_file(base + ".cpp").value_or("");
    return os::read_file(base + ".code").value_or("");
  }

  static std::string backwards(std::string definition) {
    const std::size_t at = definition.find(loop);
    return at == std::string::npos ? definition : definition.replace(at, loop.size(), "for (int i = n; i-- > 0;)");
  }
};

TEST_P(UnclonedBy, CallersCallVariant) {
  const Source& source = std::get<1>(GetParam());
  const std::string all = code(source.text, backwards);
  const std::string caller = all.substr(std::min(all.size(), all.find("<_Z6callerPi>:")));
  EXPECT_THAT(caller.substr(0, caller.find("\n\n")), ContainsRegex(source.symbol)) << all;
  EXPECT_THAT(all, Not(HasSubstr("constprop")));
}

std::string name_of(const testing::TestParamInfo<UnclonedBy::ParamType>& info) {
  return std::string(std::get<1>(info.param).name) + (std::get<0>(info.param)[0] == 'g' ? "Gcc" : "Clang");
}

INSTANTIATE_TEST_SUITE_P(Compilers, UnclonedBy,
                         testing::Combine(testing::Values("g++", "clang++-19"), testing::ValuesIn(sources)), name_of);

class ClonesBy : public UnclonedBy {};

TEST_P(ClonesBy, VariantsThatAskForCopiesCompile) {
  for (const char* head :
       {"__attribute__((target_clones(\"default\", \"avx2\"))) ", "inline __attribute__((always_inline)) "})
    EXPECT_THAT(
        code(std::get<1>(GetParam()).text, [&](const std::string& definition) { return head + backwards(definition); }),
        HasSubstr("_Z6callerPi"));
}

INSTANTIATE_TEST_SUITE_P(Compilers, ClonesBy,
                         testing::Combine(testing::Values("g++", "clang++-19"), testing::Values(sources[0])), name_of);

}  // namespace
}  // namespace hone::frontend
