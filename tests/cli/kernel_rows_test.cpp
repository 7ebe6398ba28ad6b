// Pointers to pointers, arrays behind structs and their like, through the real program: right candidates are called
// right, wrong ones are not, for the reason that is theirs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

using nlohmann::json;
using testing::HasSubstr;

// A function called kernel, its annotation, and candidates for it.
class Kernel {
 public:
  explicit Kernel(const std::string& source, const std::string& flags = "-O2 -std=c++20")
      : project_(source, flags, flags.starts_with("-x c ") ? "gcc" : "g++") {}

  void takes(const std::string& candidate) const {
    const json verdict = judged(candidate);
    EXPECT_EQ(verdict["right"], true) << verdict["reason"];
  }
  void refuses(const std::string& candidate, const std::string& reason) const {
    const json verdict = judged(candidate);
    EXPECT_EQ(verdict["right"], false);
    EXPECT_THAT(verdict["reason"].get<std::string>(), HasSubstr(reason));
  }

 private:
  json judged(const std::string& candidate) const {
    const Ended ended = run(project_.folder(), {"eval", "--kernel", "kernel", "-", "--json"}, candidate);
    return ended.out.empty() ? json{{"right", nullptr}, {"reason", ended.err}} : json::parse(ended.out);
  }

  SmallProject project_;
};

// The body of a product of a matrix and a vector, with more in front of and behind the loops.
std::string product(const std::string& before, const std::string& after) {
  return "void kernel(const double* const* rows, const double* x, double* y, int m, int k) {\n" + before +
         "  for (int i = 0; i < m; ++i) {\n    double sum = 0;\n"
         "    for (int j = 0; j < k; ++j) sum += rows[i][j] * x[j];\n    y[i] = sum;\n  }\n" +
         after + "}\n";
}

TEST(Rows, AreMemoryOfTheirOwn) {
  const Kernel kernel("#pragma hone kernel in(rows[0:m][0:k], x[0:k]) out(y[0:m]) problem(m=200, k=40)\n" +
                      product("", ""));
  kernel.refuses(
      "void kernel(const double* const* rows, const double* x, double* y, int m, int k) {\n"
      "  const long apart = m > 1 ? rows[1] - rows[0] : 0;\n  for (int i = 0; i < m; ++i) {\n    double sum = 0;\n"
      "    for (int j = 0; j < k; ++j) sum += rows[0][i * apart + j] * x[j];\n    y[i] = sum;\n  }\n}\n",
      "before the start of rows");
  kernel.refuses(product("  const double behind = m > 5 ? rows[3][k] : 0;\n", "  if (behind == 12345678) y[0] = 0;\n"),
                 "use-after-poison reading 8 bytes");
  kernel.refuses(product("", "  if (m > 0 && k > 0) const_cast<double*>(rows[0])[0] = 1;\n"),
                 "an input, which is read-only");
  kernel.refuses(product("", "  if (m > 1) const_cast<const double**>(rows)[0] = rows[1];\n"),
                 "pointers of rows[0] points elsewhere");
}

TEST(Rows, AreFoundInsideStructs) {
  const auto with = [](const std::string& count, const std::string& result) {
    return "int kernel(const Matrix& A, const Vector& x, Vector& y) {\n  for (int i = 0; i < A.n; ++i) {\n"
           "    const double* const values = A.values[i];\n    const int* const columns = A.columns[i];\n"
           "    double sum = 0;\n    for (int j = 0; j < " +
           count + "; ++j) sum += values[j] * x.values[columns[j]];\n    y.values[i] = sum;\n  }\n  return " + result +
           ";\n}\n";
  };
  const Kernel kernel(
      "struct Ids { virtual ~Ids(); };\nstruct Matrix { char* title; int n; char* count; int** columns; double** "
      "values;\n"
      "Ids ids; mutable Matrix* coarse; };\nstruct Vector { int n; double* values; };\n"
      "#pragma hone kernel in(A.values[0:A.n][0:27], A.columns[0:A.n][0:27], A.count[0:A.n], x.values[0:x.n]) "
      "out(y.values[0:A.n]) problem(A.n=100, x.n=100) init(A.columns: index(x.n), A.count: uniform(0, 27))\n" +
      with("A.count[i]", "0"));
  kernel.takes(with("A.count[i]", "A.n * 0"));
  kernel.refuses(with("27", "0"), "y.values[");
  kernel.refuses(with("A.count[i]", "A.values[A.n] == A.values[0]"),
                 "one element past the end of pointers of A.values");
}

TEST(Rows, MayBeExchangedInC) {
  const auto with = [](const std::string& exchange) {
    return "int kernel(struct work* w) {\n  int i, j, k, swaps = 0;\n  for (k = 0; k < w->n; ++k) {\n"
           "    int best = k;\n    for (i = k + 1; i < w->n; ++i)\n      if (w->a[i][k] > w->a[best][k]) best = i;\n"
           "    w->order[k] = best;\n    swaps += best != k;\n" +
           exchange + "    for (j = 0; j < w->n; ++j) w->a[k][j] += 1;\n  }\n  return swaps;\n}\n";
  };
  const std::string pointers = "float* t = w->a[k];\n      w->a[k] = w->a[best];\n      w->a[best] = t;\n    }\n";
  const Kernel kernel(
      "struct work { int n; float** a; int* order; };\n"
      "#pragma hone kernel inout(w->a[0:w->n][0:w->n]) out(w->order[0:w->n]) problem(w->n=30)\n" +
          with("    if (best != k) {\n      " + pointers),
      "-x c -O2 -std=c89 -pedantic-errors -Wall -Wextra -Werror");
  kernel.takes(with("    {\n      " + pointers));
  kernel.refuses(with("    for (j = 0; best != k && j < w->n; ++j) {\n      float t = w->a[k][j];\n"
                      "      w->a[k][j] = w->a[best][j];\n      w->a[best][j] = t;\n    }\n"),
                 "w->a");
}

TEST(ArraysAtTheEnd, AreAsLongAsClausesSay) {
  const auto with = [](const std::string& before, const std::string& after) {
    return "static void kernel(cpx* f, const size_t stride, const cfg plan, int m) {\n  int k;\n" + before +
           "  for (k = 0; k < m; ++k) {\n    const cpx* tw = plan->tw + stride * k;\n"
           "    f[k].r = f[k].r * tw->r - f[k].i * tw->i;\n    f[k].i *= tw->r;\n  }\n" +
           after + "}\n";
  };
  const Kernel kernel(
      "#include <stddef.h>\ntypedef struct { float r, i; } cpx;\n"
      "struct plan { int n, inverse, factors[4]; cpx tw[1]; };\ntypedef struct plan* cfg;\n"
      "#pragma hone kernel inout(f[0:m]) in(plan->tw[0:stride*m]) problem(m=50, stride=2)\n" +
          with("", "") + "void use(cpx* f, cfg plan) { kernel(f, 1, plan, 3); }\n",
      "-x c -O2 -std=c99 -Wall -Wextra");
  kernel.refuses(with("  const float behind = plan->tw[stride * m].r;\n", "  if (behind == 1234567) f[0].r = 0;\n"),
                 "one element past the end of memory of plan");
  kernel.refuses(with("", "  if (m > 3) plan->tw[m - 1].r = 5;\n"), "wrote into memory of plan");
  kernel.refuses(with("", "  plan->inverse = 1;\n"), "plan[0].inverse is 1");
}

TEST(ArraysAtTheEnd, MayBeWrittenAndOfNoDeclaredLength) {
  const auto with = [](const std::string& to, const std::string& after) {
    return "void kernel(Block* b, const Block& c) {\n  for (unsigned long i = 0; i < " + to +
           "; ++i) {\n    b->data[i] += c.data[i];\n    b->sum += b->data[i];\n  }\n" + after + "}\n";
  };
  const Kernel kernel(
      "struct Block { unsigned long n; int sum; unsigned char data[]; };\n"
      "#pragma hone kernel inout(b->data[0:b->n]) in(c.data[0:c.n]) problem(b->n=101, c.n=101) "
      "requires(c.n >= b->n)\n" +
      with("b->n", ""));
  kernel.takes(with("b->n", "  b->sum += 0;\n"));
  kernel.refuses(with("b->n / 2 * 2", ""), "b");
}

TEST(ArraysOfStructs, MayHavePointersInside) {
  const auto with = [](const std::string& after) {
    return "void kernel(Net* net, const float* x) {\n  for (int i = 0; i < net->n; ++i) {\n"
           "    Layer& l = net->layers[i];\n    for (int j = 0; j < net->k; ++j) {\n"
           "      if (l.kind < 0 || l.kind > 2) __builtin_trap();\n"
           "      l.w[j] = l.kind ? l.w[j] * x[j] : l.w[j] + l.b[j];\n    }\n" +
           after + "  }\n}\n";
  };
  const Kernel kernel(
      "struct Layer { float* w; const float* b; int kind; float* spare; };\n"
      "struct Net { int n, k; Layer* layers; };\n"
      "#pragma hone kernel in(net->layers[0:net->n].b[0:net->k], x[0:net->k]) "
      "inout(net->layers[0:net->n].w[0:net->k]) problem(net->n=20, net->k=30) "
      "init(net->layers.kind: index(3))\n" +
      with(""));
  kernel.takes(with("    l.spare = nullptr;\n"));
  kernel.refuses(with("    l.b = net->layers[0].b;\n"), "net->layers[1].b");
  kernel.refuses(with("    l.kind = 0;\n"), "].kind is 0");
}

}  // namespace
}  // namespace hone
