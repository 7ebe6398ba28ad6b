// The kinds of templates that projects have: an instance of each is found, gated, and linked as a variant of its own,
// while the other instances keep the original.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/unit/clause_check.h"

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

struct Kind {
  const char* name;
  const char* kernel;  // the instance's
  const char* text;    // `x[0] + 1` is what the variant does otherwise
  const char* main;
  const char* output;  // with the variant
  const char* standard = "-std=c++20";
};

void PrintTo(const Kind& kind, std::ostream* out) {
  *out << kind.name;
}

class TemplateKind : public testing::TestWithParam<Kind> {};

TEST_P(TemplateKind, TakesVariantForOneInstance) {
  const Kind& kind = GetParam();
  const Snippet snippet(std::string("#include <cstdio>\n") + kind.text + "int main() {\n" + kind.main + "}\n",
                        {kind.standard});
  const FoundKernels found = snippet.find();
  ASSERT_THAT(found.diagnostics, IsEmpty()) << found.diagnostics[0].rendered;
  ASSERT_THAT(found.kernels, SizeIs(1));
  const KernelSpec& spec = found.kernels[0].spec;
  EXPECT_EQ(spec.name, kind.kernel);
  EXPECT_THAT(check_unit(spec, snippet.command(), {}), IsEmpty());
  std::string variant = spec.unit.definition;
  const std::size_t at = variant.find("x[0] + 1");
  ASSERT_NE(at, std::string::npos) << variant;
  variant.insert(at + std::string("x[0] + 1").size(), "00");
  EXPECT_EQ(Gate::open(spec, snippet.command(), {}).value().check(variant), "") << variant;
  const std::string base = snippet.folder().string() + "/variant";
  const std::string text = rewrite(found.file, {{found.kernels[0].placement, variant, "hone/cas/v"}});
  ASSERT_TRUE(os::write_file_atomically(base + ".cpp", text));
  for (const std::string compiler : {"g++", "clang++-19"}) {
    const std::string command = compiler + " -Wall -Wno-unknown-pragmas -Werror " + kind.standard + " -o " + base +
                                " " + base + ".cpp 2> " + base + ".log && " + base + " > " + base + ".out";
    ASSERT_EQ(std::system(command.c_str()), 0) << os::read_file(base + ".log").value_or("") << text;
    EXPECT_EQ(os::read_file(base + ".out").value_or(""), kind.output) << compiler << "\n" << text;
  }
}

constexpr Kind kKinds[] = {
    {"TryBlock", "f<float>", R"(
#pragma hone kernel inout(x[0:1]) instantiate(T=float)
template <class T> void f(T* x) try { x[0] = x[0] + 1; } catch (int) { x[0] = T(); }
)",
     "float a = 0; double b = 0; f(&a); f(&b); std::printf(\"%g %g\", a, b);\n", "100 1"},
    {"Abbreviated", "app::f<float, double>", R"(
namespace app {
template <class T> concept Any = true;
#pragma hone kernel inout(x[0:1]) instantiate(x=float, by=double)
void f(Any auto* x, const auto by) { x[0] = x[0] + 1 + by; }
}
)",
     "float a = 0; double b = 0; app::f(&a, 0.5); app::f(&b, 0.5); std::printf(\"%g %g\", a, b);\n", "100.5 1.5"},
    {"TemplateForParameter", "f<Plus, float>", R"(
template <class T> struct Plus { static T of(T v) { return v; } };
template <class T> struct Minus { static T of(T v) { return -v; } };
#pragma hone kernel inout(x[0:1]) instantiate(Op=Plus, T=float)
template <template <class> class Op, class T> void f(T* x) { x[0] = Op<T>::of(x[0] + 1); }
)",
     "float a = 0; float b = 0; f<Plus>(&a); f<Minus>(&b); std::printf(\"%g %g\", a, b);\n", "100 -1"},
    {"RealAndClassConstants", "f<0x1.8p-1, Size{2, 3}, float>", R"(
struct Size { int w, h; };
#pragma hone kernel inout(x[0:S.w]) instantiate(By=0.75, S=(Size{2, 3}), T=float)
template <double By, Size S, class T> void f(T* x) { x[0] = x[0] + 1 + By * S.h; }
)",
     "float a[2] = {}, b[2] = {}; f<0.75, Size{2, 3}>(a); f<0.5, Size{2, 3}>(b); std::printf(\"%g %g\", a[0], b[0]);\n",
     "102.25 2.5"},
    {"OutsideOfItsNamespace", "app::f<float>", R"(
namespace app { typedef int Count; template <class T> T f(T* x, Count n); }
#pragma hone kernel inout(x[0:n]) problem(n=1) instantiate(T=float)
template <class T> T app::f(T* x, Count n) { return x[0] = x[0] + 1 * n; }
)",
     "float a = 0; double b = 0; app::f(&a, 1); app::f(&b, 1); std::printf(\"%g %g\", a, b);\n", "100 1"},
    {"StaticMemberInClassTemplate", "app::Filter<float>::scale", R"(
namespace app {
template <class T, int N = 4> class Filter {
  typedef T Value;
  static Value same(Value v) { return v; }
 public:
#pragma hone kernel inout(x[0:N]) instantiate(T=float)
  static Value scale(Value* x, int n = 1) { return x[0] = same(x[0] + 1) * n; }
};
}
)",
     "float a[4] = {}; double b[4] = {}; app::Filter<float>::scale(a); app::Filter<double>::scale(b); "
     "std::printf(\"%g %g\", a[0], b[0]);\n",
     "100 1", "-std=c++17"},
    {"MemberOutOfLine", "Filter<float>::scale", R"(
template <class T> struct Filter {
  typedef T Value;
  void scale(Value* x) const;
};
#pragma hone kernel inout(x[0:1]) instantiate(U=float)
template <class U> void Filter<U>::scale(Value* x) const { U one = x[0] + 1; x[0] = one; }
)",
     "float a = 0; double b = 0; Filter<float>().scale(&a); Filter<double>().scale(&b); "
     "std::printf(\"%g %g\", a, b);\n",
     "100 1", "-std=c++17"},
    {"FunctorOfClassTemplate", "Add<float>::operator()", R"(
template <class T> struct Add {
#pragma hone kernel inout(x[0:1]) instantiate(T=float)
  void operator()(T* x) const { x[0] = x[0] + 1; }
};
)",
     "float a = 0; double b = 0; Add<float>()(&a); Add<double>()(&b); std::printf(\"%g %g\", a, b);\n", "100 1",
     "-std=c++17"},
    {"MemberTemplateInItsClass", "Filter::scale<float, 3>", R"(
class Filter {
  typedef int Count;
 public:
#pragma hone kernel inout(x[0:N]) instantiate(T=float, N=3)
  template <class T, int N = 4>
  [[nodiscard]] static Count scale(T* x, Count by = 1) { x[0] = x[0] + 1 * by; return N; }
};
)",
     "float a[3] = {}, b[4] = {}; int n = Filter::scale<float, 3>(a) + Filter::scale(b); "
     "std::printf(\"%g %g %d\", a[0], b[0], n);\n",
     "100 1 7", "-std=c++17"},
    {"MemberTemplateOfClassTemplate", "app::Filter<float>::scale<2>", R"(
namespace app {
template <class T> struct Filter {
#pragma hone kernel inout(x[0:1]) instantiate(T=float, N=2)
  template <int N> void scale(T* x) const { x[0] = x[0] + 1; }
};
}
)",
     "float a = 0, b = 0; app::Filter<float>().scale<2>(&a); app::Filter<float>().scale<3>(&b); "
     "std::printf(\"%g %g\", a, b);\n",
     "100 1", "-std=c++17"},
    {"MemberWithTrailingRequires", "Filter<float>::scale", R"(
template <class T> struct Filter {
#pragma hone kernel inout(x[0:1]) instantiate(T=float)
  static void scale(T* x) requires requires(T one) { one + one; } { x[0] = x[0] + 1; }
};
)",
     "float a = 0; double b = 0; Filter<float>::scale(&a); Filter<double>::scale(&b); std::printf(\"%g %g\", a, b);\n",
     "100 1"},
    {"ExplicitSpecialization", "f<float>", R"(
template <class T> void f(T* x) { x[0] = x[0] + 2; }
#pragma hone kernel inout(x[0:1])
template <> void f<float>(float* x) { x[0] = x[0] + 1; }
)",
     "float a = 0; double b = 0; f(&a); f(&b); std::printf(\"%g %g\", a, b);\n", "100 2", "-std=c++17"},
};

INSTANTIATE_TEST_SUITE_P(Projects, TemplateKind, testing::ValuesIn(kKinds),
                         [](const auto& info) { return std::string(info.param.name); });

// The arguments of a call would say another one, whose parameters have defaults.
TEST(TemplateMember, IsCalledAsTheInstanceThatIsTuned) {
  const FoundKernels found = Snippet(R"(
struct Filter {
#pragma hone kernel inout(x[0:N]) instantiate(T=float, N=3)
  template <class T, int N = 4> static void scale(T* x) { x[0] = x[0] + 1; }
};
)")
                                 .find();
  ASSERT_THAT(found.kernels, SizeIs(1));
  EXPECT_THAT(found.kernels[0].spec.unit.harness, HasSubstr("::Filter::scale<float, 3>("));
}

TEST(TemplateMember, ReportsWhatCannotBeSpecialized) {
  EXPECT_THAT(
      Snippet(R"(
template <class, class> struct Map { virtual int size() const { return 3; } };
template <class T> struct A {
#pragma hone kernel inout(x[0:1])
  static void f(T* x) { *x = 1; }
#pragma hone kernel inout(x[0:1]) instantiate(T=float)
  static void g(T* x) { *x = 1; }
#pragma hone kernel inout(x[0:1]) instantiate(T=float)
  void h(T* x) { *x = s.size(); }
  Map<int, T> s;
};
template <> void A<float>::g(float* x) { *x = 2; }
)")
          .complaints(),
      ElementsAre(HasSubstr("4:14: 'f' is a template; say which instance is to be tuned with instantiate(T=…)"),
                  HasSubstr("'g<float>' is specialized in this file"),
                  HasSubstr("8:14: the function uses 's' of type 'Map<int, float>', which no clause describes")));
}

}  // namespace
}  // namespace hone::frontend
