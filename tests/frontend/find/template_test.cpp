// Instances of function templates: found, told apart, compiled, gated and put into the file by the real parts.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "tests/frontend/first_error.h"
#include "tests/frontend/loaded_unit.h"
#include "tool/frontend/find/kernel_finder.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/frontend/place/rewriter.h"
#include "tool/frontend/unit/clause_check.h"
#include "tool/frontend/unit/double_unit.h"

namespace hone::frontend {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

constexpr const char* kScale = R"code(#include <cstdio>
enum class Mode { plain, fast };
namespace app {
constexpr int kFour = 4;
template <class T> struct Twice { static T of(T v) { return v + v; } };
int unrelated() { return 1; }
#pragma hone kernel in(x[0:n*N]) out(y[0:n*N]) problem(n=N*16) \
    instantiate(T=float, N=kFour)
template <class T, int N, Mode M = Mode::fast, class Wide = T>
static void scale(const T* x, T* y, int n = 8) {
  for (int i = 0; i < n * N; ++i)
    y[i] = M == Mode::fast ? Twice<Wide>::of(x[i]) : x[i];
}
}
int main() {
  float x[8] = {1, 2, 3, 4, 5, 6, 7, 8}, y[8];
  app::scale<float, 4>(x, y, 2);
  double a[2] = {1, 2}, b[2];
  app::scale<double, 1>(a, b, 2);
  std::printf("%g %g %d %s", y[7], b[1], __LINE__, __FILE__);
}
)code";

constexpr const char* kSpecialization =
    "template <> void scale<float, 4, Mode::fast, float>(const float* x, float* y, int n)";

TEST(Template, DescribesInstance) {
  const KernelSpec spec = Snippet(kScale).kernel();
  EXPECT_EQ(spec.name, "app::scale<float, 4, Mode::fast, float>");
  EXPECT_EQ(spec.signature, "void app::scale<float, 4, Mode::fast, float>(const float *, float *, int)");
  EXPECT_EQ(spec.mangled_name, "_ZN3appL5scaleIfLi4EL4Mode1EfEEvPKT_PS2_i");
  EXPECT_EQ(spec.line, 7u);
  ASSERT_THAT(spec.parameters, SizeIs(3));
  EXPECT_EQ(spec.parameters[0].type, "const float *");
  EXPECT_EQ(spec.parameters[1].role, Role::out);
  EXPECT_EQ(spec.unit.definition_line, 10u);
  EXPECT_EQ(spec.unit.definition,
            "template <> void scale<float, 4, Mode::fast, float>(const float *x, float *y, int n) { using T "
            "[[maybe_unused]] = float; constexpr int N = 4; constexpr Mode M = Mode::fast; using Wide = float;\n"
            "  for (int i = 0; i < n * N; ++i)\n"
            "    y[i] = M == Mode::fast ? Twice<Wide>::of(x[i]) : x[i];\n}");
}

TEST(Template, BuildsUnitThatCompilesAndRuns) {
  const Snippet snippet(kScale);
  const KernelSpec spec = snippet.kernel();
  EXPECT_THAT(whole(spec), AllOf(HasSubstr("template <class T, int N, Mode M"), Not(HasSubstr("unrelated()"))));
  EXPECT_THAT(check_unit(spec, snippet.command(), {}), IsEmpty());
  const LoadedUnit unit(snippet, spec, "g++ -std=c++17 -Wall -Wextra -Werror -Wno-unused-function");
  int n = 0;
  float x[64], y[64] = {};
  const float* from = x;
  float* to = y;
  unit.problem(0, {&from, &to, &n});
  EXPECT_EQ(n, 64);
  n = 16;
  EXPECT_EQ(unit.evaluate({x, y, &n}, 2).first, (std::vector<long long>{64, 64}));
  for (int i = 0; i < 64; ++i) x[i] = static_cast<float>(i);
  unit.call({x, y, &n});
  EXPECT_EQ(y[63], 126);
}

TEST(Template, GivesEachInstanceItsOwnKey) {
  const auto keys = [](const std::string& text) {
    std::vector<std::string> keys;
    for (const FoundKernel& kernel : Snippet(text).find(false).kernels) keys.push_back(kernel.spec.key);
    return keys;
  };
  const std::string before = "#pragma hone kernel inout(x[0:N]) instantiate(T=float, N=4) instantiate(T=double, N=4)\n";
  const std::string text = "template <class T, int N> void f(T* x) { x[N - 1] = 1; }\n";
  const auto both = keys(before + text);
  ASSERT_THAT(both, SizeIs(2));
  EXPECT_NE(both[0], both[1]);
  EXPECT_EQ(keys("int other;\n" + before + "/* remark */ " + text), both);
  EXPECT_EQ(keys("#pragma hone kernel inout(x[0:N]) instantiate(T=float, N=2+2)\n" + text).size(), 1u);
  EXPECT_EQ(keys("#pragma hone kernel inout(x[0:N]) instantiate(N=4, T=float)\n" + text).at(0), both[0]);
  EXPECT_NE(keys("#pragma hone kernel inout(x[0:N]) instantiate(N=5, T=float)\n" + text).at(0), both[0]);
  EXPECT_NE(keys(before + "template <class T, int N> void f(T* x) { x[N - 1] = 2; }\n").at(0), both[0]);
}

TEST(Template, AcceptsSeveralAnnotationsForSeveralInstances) {
  const FoundKernels found = Snippet(R"(
#pragma hone kernel inout(x[0:4]) instantiate(T=float) name(one)
#pragma hone kernel inout(x[0:8]) instantiate(T=unsigned char) instantiate(T=long) name(two)
#pragma hone kernel inout(x[0:8]) instantiate(T=float)
template <typename T> inline auto f(T* x) noexcept(sizeof(T) > 1) -> T { return *x = 1; }
)")
                                 .find();
  std::vector<std::string> kernels;
  for (const FoundKernel& kernel : found.kernels) kernels.push_back(kernel.spec.name + ": " + kernel.spec.signature);
  EXPECT_THAT(kernels, ElementsAre("one: float f<float>(float *)",
                                   "two<unsigned char>: unsigned char f<unsigned char>(unsigned char *)",
                                   "two<long>: long f<long>(long *)"));
  ASSERT_THAT(found.diagnostics, SizeIs(1));
  EXPECT_THAT(found.diagnostics[0].message, HasSubstr("'f<float>' is annotated twice"));
  EXPECT_EQ(found.kernels[1].spec.unit.definition,
            "template <> inline auto f<unsigned char>(unsigned char *x)  -> unsigned char { using T [[maybe_unused]] = "
            "unsigned char; return *x = 1; }");
}

TEST(Template, ReportsPlaceOfEachMistakeInInstantiate) {
  Snippet snippet(R"(
#pragma hone kernel inout(x[0:8]) instantiate(T=float, ^unknown^M=4)
template <class T, int N> void a(T* x) { *x = N; }
#pragma hone kernel inout(x[0:8]) ^missing^instantiate(T=float)
template <class T, int N> void b(T* x) { *x = N; }
#pragma hone kernel inout(x[0:8]) instantiate(T=^type^4, N=4)
template <class T, int N> void c(T* x) { *x = N; }
#pragma hone kernel inout(x[0:8]) instantiate(T=float, \
                                              N=1+^value^nowhere)
template <class T, int N> void d(T* x) { *x = N; }
#pragma hone kernel inout(x[0:8]) ^plain^instantiate(T=float)
void e(float* x) { *x = 1; }
#pragma hone ^none^kernel inout(x[0:8])
template <class T, int N> void f(T* x) { *x = N; }
#pragma hone kernel inout(x[0:8]) ^pack^instantiate(T=float)
template <class... T> void g(T*... x) { (*x = ...); }
#pragma hone kernel inout(x[0:8]) instantiate(T=float)
template <template <class> class T> void h(T<int>* x) { }
#pragma hone kernel inout(x[0:8]) instantiate(T=float, N=^real^2.5)
template <class T, int N> void i(T* x) { *x = N; }
)");
  const auto at = [&](const char* mark, const std::string& message) {
    const auto [line, column] = snippet.at(mark);
    return HasSubstr(std::to_string(line) + ":" + std::to_string(column) + ": " + message);
  };
  EXPECT_THAT(
      snippet.complaints(),
      ElementsAre(at("unknown", "instantiate names 'M', which is no template parameter of 'a'"),
                  HasSubstr("this instantiate gives nothing for 'N'; add N=…"),
                  at("missing", "this instantiate gives nothing for 'N'; add N=…"),
                  at("type", "expected a type; T=… takes a type"),
                  at("value",
                     "use of undeclared identifier 'nowhere'; N=… takes a constant of type 'int', declared in "
                     "front of the template"),
                  at("plain", "instantiate(…) belongs to a template; 'e' is a plain function"),
                  at("none", "'f' is a template; say which instance is to be tuned with instantiate(T=…, N=…)"),
                  at("pack", "'g' has a parameter pack; that is not supported yet"),
                  HasSubstr("; T=… takes a template"), at("real", "type 'double' cannot be narrowed to 'int'")));
}

TEST(Template, RejectsInstanceThatCannotBeSpecialized) {
  EXPECT_THAT(
      Snippet("template <class T> void f(T* x);\nvoid g(float* x) { f(x); }\n"
              "#pragma hone kernel inout(x[0:8]) instantiate(T=float)\ntemplate <class T> void f(T* x) { *x = 1; }\n")
          .complaints(),
      ElementsAre(HasSubstr("3:35: 'f<float>' is used in front of the template's definition")));
  EXPECT_THAT(Snippet("#pragma hone kernel inout(x[0:8]) instantiate(T=float)\n"
                      "template <class T> inline void f(T* x) { *x = 1; }\ntemplate void f<float>(float*);\n")
                  .complaints(),
              ElementsAre(HasSubstr("1:35: 'f<float>' is inline and explicitly instantiated")));
  EXPECT_THAT(Snippet("#pragma hone kernel inout(x[0:8]) instantiate(T=float)\n"
                      "template <class T> void f(T* x) { *x = 1; }\ntemplate <> void f(float* x) { *x = 2; }\n")
                  .complaints(),
              ElementsAre(HasSubstr("1:35: 'f<float>' is specialized in this file")));
}

TEST(Template, GateRequiresSpecialization) {
  const Snippet snippet(kScale);
  Gate gate = Gate::open(snippet.kernel(), snippet.command(), {}).value();
  const std::string head = kSpecialization;
  const std::string wanted =
      "must define the explicit specialization 'template <> void app::scale<float, 4, Mode::fast, float>(const float "
      "*, "
      "float *, int)'";
  EXPECT_EQ(gate.check("#include <algorithm>\n" + head +
                       " { for (int i = 0; i < std::max(4 * n, 0); ++i) y[i] = 2 * x[i]; }"),
            "");
  EXPECT_EQ(gate.check("template <int N> static inline float by(float v) { return N * v; }\n"
                       "template <> void scale<float, 4>(const float* x, float* y, int n) {\n"
                       "  for (int i = 0; i < 4 * n; ++i) y[i] = by<2>(x[i]);\n}"),
            "");
  EXPECT_THAT(gate.check("template <class T, int N, Mode M, class W> static void scale(const T* x, T* y, int n) {}"),
              AllOf(HasSubstr("redefinition of 'scale'"), HasSubstr(wanted)));
  EXPECT_THAT(gate.check("template <> void scale<float, 8>(const float* x, float* y, int n) {}"),
              AllOf(HasSubstr("is another instance"), HasSubstr(wanted)));
  EXPECT_THAT(gate.check("static void scale(const float* x, float* y, int n) {}"),
              AllOf(HasSubstr("is no specialization"), HasSubstr(wanted)));
  EXPECT_THAT(gate.check("template <> void scale<float, 4>(const float* x, float* y, long n) {}"),
              AllOf(HasSubstr("no function template matches"), HasSubstr(wanted)));
  EXPECT_THAT(gate.check("template <> inline void scale<float, 4>(const float* x, float* y, int n) {}"),
              HasSubstr("inline, constexpr, noexcept"));
  EXPECT_THAT(gate.check(head + ";"), HasSubstr(wanted));
}

TEST(Template, BuildsDoubleReference) {
  const Snippet snippet(kScale);
  const Widening wide = widened(snippet.kernel(), snippet.command(), {});
  ASSERT_TRUE(wide.spec) << wide.reason;
  EXPECT_EQ(wide.spec->signature, "void app::scale<double, 4, Mode::fast, double>(const double *, double *, int)");
}

// The program's output, compiled by gcc and by Clang from these files.
std::string run(const Snippet& snippet, const std::vector<std::string>& texts, const std::string& flags) {
  const std::string base = snippet.folder().string() + "/shadow";
  std::string sources;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string file = base + std::to_string(i) + ".cpp";
    EXPECT_TRUE(os::write_file_atomically(file, texts[i]));
    sources += " " + file;
  }
  const std::string command = "g++ -Wall -Wno-unknown-pragmas -Werror " + flags + " -o " + base + sources + " 2> " +
                              base + ".log && " + base + " > " + base + ".out";
  EXPECT_EQ(std::system(command.c_str()), 0) << os::read_file(base + ".log").value_or("") << texts.front();
  return os::read_file(base + ".out").value_or("");
}

std::string rewritten_template(const Snippet& snippet, const std::string& variant) {
  const FoundKernels found = snippet.find(false);
  EXPECT_THAT(found.kernels, SizeIs(1));
  if (found.kernels.empty()) return "";
  return rewrite(snippet.text(), "main.cpp", {{found.kernels[0].placement, variant, "hone/cas/v"}});
}

TEST(Template, KeepsOriginalForOtherInstances) {
  const Snippet snippet(kScale);
  EXPECT_EQ(run(snippet, {rewrite(snippet.text(), "main.cpp", {})}, "-std=c++17"), "16 4 20 main.cpp");
  const std::string text =
      rewritten_template(snippet, "#include <cmath>\n" + std::string(kSpecialization) +
                                      " {\n  for (int i = 0; i < 4 * n; ++i) y[i] = 100 * x[i];\n}\n");
  EXPECT_EQ(run(snippet, {text}, "-std=c++17"), "800 4 20 main.cpp");
  EXPECT_EQ(first_error(snippet.command(), text, {}), "");
}

TEST(Template, KeepsOriginalForOtherInstancesInOtherFiles) {
  const std::string definition =
      "template <class T> void f(T* x) { *x = 1; }\ntemplate void f<float>(float*);\ntemplate void "
      "f<double>(double*);\n";
  const Snippet snippet("#pragma hone kernel inout(x[0:1]) instantiate(T=float)\n" + definition);
  const std::string user =
      "#include <cstdio>\ntemplate <class T> void f(T* x);\n"
      "int main() { float a; double b; f(&a); f(&b); std::printf(\"%g %g\", a, b); }\n";
  EXPECT_EQ(run(snippet, {rewrite(snippet.text(), "main.cpp", {}), user}, "-std=c++11"), "1 1");
  EXPECT_EQ(run(snippet, {rewritten_template(snippet, "template <> void f<float>(float* x) { *x = 7; }"), user},
                "-std=c++11"),
            "7 1");
}

TEST(Template, KeepsCudaLaunchBoundsAndLaunch) {
  if (std::system((std::string("test -x ") + kNvcc).c_str()) != 0) GTEST_SKIP() << "there is no " << kNvcc;
  const Snippet snippet(R"(
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20) launch(grid((n + Block - 1) / Block), block(Block)) \
    instantiate(Block=128, T=float)
template <int Block, class T> __global__ void __launch_bounds__(Block) twice(const T* x, T* y, int n) {
  const int i = blockIdx.x * Block + threadIdx.x;
  if (i < n) y[i] = 2 * x[i];
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20) stream(s) instantiate(T=float)
template <class T> void launch_twice(const T* x, T* y, int n, cudaStream_t s) {
  twice<128><<<(n + 127) / 128, 128, 0, s>>>(x, y, n);
}
void use(const float* x, float* y) { launch_twice(x, y, 4, 0); }
)",
                        {"-std=c++17", "-arch=sm_90"}, "main.cu");
  const KernelSpec kernel = snippet.kernel("twice<128, float>");
  EXPECT_TRUE(kernel.cuda);
  EXPECT_THAT(kernel.unit.definition,
              HasSubstr("template <> __global__ void __launch_bounds__(128) twice<128, float>(const float *x"));
  Gate gate = Gate::open(kernel, snippet.command(), {}).value();
  EXPECT_EQ(
      gate.check(
          "template <> __global__ void __launch_bounds__(128) twice<128, float>(const float* x, float* y, int n) {\n"
          "  for (int i = blockIdx.x * 128 + threadIdx.x; i < n; i += gridDim.x * 128) y[i] = x[i] + x[i];\n}"),
      "");
  EXPECT_THAT(gate.check("__global__ void twice(const float* x, float* y, int n) {}"),
              HasSubstr("explicit specialization"));
  const KernelSpec launcher = snippet.kernel("launch_twice<float>");
  EXPECT_TRUE(launcher.cuda);
  Gate host = Gate::open(launcher, snippet.command(), {}).value();
  EXPECT_EQ(host.check("template <> void launch_twice<float>(const float* x, float* y, int n, cudaStream_t s) {\n"
                       "  twice<256><<<(n + 255) / 256, 256, 0, s>>>(x, y, n);\n}"),
            "");
}

}  // namespace
}  // namespace hone::frontend
