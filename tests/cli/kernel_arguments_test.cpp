// What kernels take, through the real program: a right candidate is called right, a wrong one is not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "run_program.h"
#include "small_project.h"

namespace hone {
namespace {

using nlohmann::json;
using testing::HasSubstr;

struct Shape {
  std::string name;    // of the test
  std::string before;  // what stands in front of the annotation
  std::string clauses;
  std::string original;  // the function, called kernel
  std::string right;     // another one, that does the same; "": what the wrong one is told says enough
  std::string wrong;     // one that does not
  std::string reason;    // of the wrong one, in part
  std::string flags = "-O2 -std=c++20";
};

json judged(const SmallProject& project, const std::string& source) {
  const Ended ended = run(project.folder(), {"eval", "--kernel", "kernel", "-", "--json"}, source);
  return ended.out.empty() ? json{{"right", nullptr}, {"reason", ended.err}} : json::parse(ended.out);
}

class Arguments : public testing::TestWithParam<Shape> {};

TEST_P(Arguments, TellRightCandidateFromWrong) {
  const Shape& shape = GetParam();
  const SmallProject project(
      shape.before + "\n#pragma hone kernel name(kernel) " + shape.clauses + "\n" + shape.original + "\n", shape.flags,
      shape.flags.starts_with("-x c ") ? "gcc" : "g++");
  if (!shape.right.empty()) {
    const json right = judged(project, shape.right);
    EXPECT_EQ(right["right"], true) << right["reason"];
  }
  const json wrong = judged(project, shape.wrong);
  EXPECT_EQ(wrong["right"], false);
  EXPECT_THAT(wrong["reason"].get<std::string>(), HasSubstr(shape.reason));
}

const Shape shapes[] = {
    {"ReferenceThatIsReadAndWritten", "", "in(x[0:n]) problem(n=1000)",
     "void kernel(const int* x, const int& n, long long& sum) {\n  for (int i = 0; i < n; ++i) sum += x[i];\n}",
     "void kernel(const int* x, const int& n, long long& sum) {\n  long long s = sum;\n"
     "  for (const int *at = x, *end = x + n; at != end; ++at) s += *at;\n  sum = s;\n}",
     "void kernel(const int* x, const int& n, long long& sum) {\n  long long s = 0;\n"
     "  for (int i = 0; i < n; ++i) s += x[i];\n  sum = s;\n}",
     "sum[0] is"},
    {"ExtentsThatAreNoParameters", "#define TAPS 9\nconstexpr int kWidth = 64;",
     "in(x[0:kWidth + TAPS], taps[0:TAPS]) out(y[0:kWidth])",
     "void kernel(const int* x, const int* taps, int* y) {\n  for (int i = 0; i < kWidth; ++i) {\n    y[i] = 0;\n"
     "    for (int k = 0; k < TAPS; ++k) y[i] += x[i + k] * taps[k];\n  }\n}",
     "",
     "void kernel(const int* x, const int* taps, int* y) {\n  for (int i = 0; i < kWidth; ++i) {\n    int s = 0;\n"
     "    for (int k = 0; k < TAPS - 1; ++k) s += x[i + k] * taps[k];\n    y[i] = s;\n  }\n}",
     "y["},
    {"OutputThatIsZeroByDefinition", "", "out(y[0:n]) problem(n=1000)",
     "void kernel(int* y, int n) {\n  for (int i = 0; i < n; ++i) y[i] = 0;\n}", "",
     "void kernel(int* y, int n) {\n  for (int i = 0; i < n - 1; ++i) y[i] = 0;\n}", "was not written"},
    {"VectorOfPairs", "#include <utility>\n#include <vector>", "inout(bus[0:bus.size()]) problem(bus.size()=500)",
     "void kernel(std::vector<std::pair<short, short>>& bus) {\n  for (auto& [l, r] : bus) l += r / 2;\n}", "",
     "void kernel(std::vector<std::pair<short, short>>& bus) {\n  for (auto& [l, r] : bus) l += r / 2, r = l;\n}",
     "bus["},
    {"PairOfPointers", "", "in(first[0:last-first]) problem(last-first=1000)",
     "long kernel(const int* first, const int* last) {\n  long s = 0;\n  for (; first != last; ++first) s += *first;\n"
     "  return s;\n}",
     "long kernel(const int* first, const int* last) {\n  long s = 0;\n  while (last != first) s += *--last;\n"
     "  return s;\n}",
     "long kernel(const int* first, const int* last) {\n  long s = 0;\n"
     "  for (; first + 1 < last; first += 2) s += first[0] + first[1];\n  return s;\n}",
     "the return value"},
    {"PointerThatMayBeNull", "", "in(x[0:n], add[0:n]|null) out(y[0:n]) problem(n=1000)",
     "void kernel(const int* x, const int* add, int* y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = x[i] + (add ? add[i] : 1);\n}",
     "",
     "void kernel(const int* x, const int* add, int* y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = x[i] + add[i];\n}",
     "add=null"},
    {"PointerThatIsTestedAgainstNull", "", "in(x[0:n], add[0:n]) out(y[0:n]) problem(n=1000)",
     "void kernel(const int* x, const int* add, int* y, int n) {\n"
     "  if (add == nullptr) n /= 2;\n  for (int i = 0; i < n; ++i) y[i] = x[i] + (add == nullptr ? 1 : add[i]);\n}",
     "",
     "void kernel(const int* x, const int* add, int* y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = x[i] + add[i];\n}",
     "add=null"},
    {"Vectors", "#include <vector>", "in(x[0:x.size()]) out(y[0:x.size()]) problem(x.size()=1000)",
     "void kernel(const std::vector<int>& x, std::vector<int>& y) {\n"
     "  for (unsigned i = 0; i < x.size(); ++i) y[i] = 3 * x[i];\n}",
     "void kernel(const std::vector<int>& x, std::vector<int>& y) {\n"
     "  const int* from = x.data();\n  int* to = y.data();\n"
     "  for (unsigned long i = 0, n = x.size(); i < n; ++i) to[i] = from[i] * 3;\n}",
     "void kernel(const std::vector<int>& x, std::vector<int>& y) {\n"
     "  for (unsigned i = 0; i + 1 < x.size(); i += 2) y[i] = 3 * x[i], y[i + 1] = 3 * x[i + 1];\n}",
     "was not written"},
    {"SpansWithTheExtentThatTheySay", "#include <span>", "inout(y) problem(x.size()=1000, y.size()=1000)",
     "void kernel(std::span<const int> x, std::span<int> y) {\n"
     "  for (unsigned i = 0; i < x.size() && i < y.size(); ++i) y[i] += x[i];\n}",
     "",
     "void kernel(std::span<const int> x, std::span<int> y) {\n"
     "  for (unsigned i = 0; i < x.size() && i < y.size(); ++i) y[i] = x[i];\n}",
     "y["},
    {"StructWithPointersInside", "struct Grid { int w, h; int add; int* cells; const int* mask; long total; };",
     "inout(g->cells[0:g->w*g->h]) in(g->mask[0:g->w*g->h]) problem(g->w=40, g->h=30)",
     "void kernel(Grid* g) {\n  for (int i = 0; i < g->w * g->h; ++i) {\n"
     "    g->cells[i] += g->mask[i] * g->add;\n    g->total += g->mask[i];\n  }\n}",
     "void kernel(Grid* g) {\n  long total = g->total;\n  for (int i = 0; i < g->w * g->h; ++i) {\n"
     "    g->cells[i] += g->mask[i] * g->add;\n    total += g->mask[i];\n  }\n  g->total = total;\n}",
     "void kernel(Grid* g) {\n  for (int i = 0; i < g->w * g->h; ++i) {\n"
     "    g->cells[i] += g->mask[i] * g->add;\n    g->total += g->mask[i];\n  }\n  g->add = 0;\n}",
     "g[0].add is"},
    {"StructByValue", "struct Grid { int w, h; const int* cells; int gain; };",
     "in(g.cells[0:g.w*g.h]) out(y[0:g.w*g.h]) problem(g.w=40, g.h=30) init(g.gain: uniform(1, 9))",
     "void kernel(Grid g, int* y) {\n  for (int i = 0; i < g.w * g.h; ++i) y[i] = g.cells[i] * g.gain;\n}",
     "void kernel(Grid g, int* y) {\n  for (int i = g.w * g.h; i-- > 0;) y[i] = g.cells[i] * g.gain;\n}",
     "void kernel(Grid g, int* y) {\n  for (int i = 0; i < g.w * g.h; ++i) y[i] = g.cells[i] * 4;\n}", "y["},
    {"ConstStructWithVector", "#include <vector>\nstruct Image { std::vector<int> pixels; int gain; };",
     "in(im.pixels) out(y[0:im.pixels.size()]) problem(im.pixels.size()=1000)",
     "void kernel(const Image& im, int* y) {\n"
     "  for (unsigned i = 0; i < im.pixels.size(); ++i) y[i] = im.pixels[i] * im.gain;\n}",
     "void kernel(const Image& im, int* y) {\n  const int* p = im.pixels.data();\n  const int gain = im.gain;\n"
     "  for (unsigned long i = 0, n = im.pixels.size(); i < n; ++i) y[i] = p[i] * gain;\n}",
     "void kernel(const Image& im, int* y) {\n"
     "  for (unsigned i = 0; i <= im.pixels.size(); ++i) y[i] = im.pixels[i] * im.gain;\n}",
     "im.pixels"},
    {"MembersOfElements", "struct Cell { int from; int value; };",
     "in(cells[0:n], x[0:n]) out(y[0:n]) problem(n=1000) init(cells.from: index(n))",
     "void kernel(const Cell* cells, const int* x, int* y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = x[cells[i].from] + cells[i].value;\n}",
     "",
     "void kernel(const Cell* cells, const int* x, int* y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = x[i] + cells[i].value;\n}",
     "y["},
    {"MembersOfContainersElements", "#include <span>\nstruct Cell { int from; int value; };",
     "in(cells[0:cells.size()], x[0:cells.size()]) out(y[0:cells.size()]) problem(cells.size()=1000) "
     "init(cells.from: index(cells.size()))",
     "void kernel(std::span<const Cell> cells, const int* x, int* y) {\n"
     "  for (unsigned i = 0; i < cells.size(); ++i) y[i] = x[cells[i].from] + cells[i].value;\n}",
     "",
     "void kernel(std::span<const Cell> cells, const int* x, int* y) {\n"
     "  for (unsigned i = 0; i < cells.size(); ++i) y[i] = x[i] + cells[i].value;\n}",
     "y["},
    {"Variables", "static int weights[16];\nint calls;\nvoid set(int i, int w) { weights[i] = w; }",
     "in(x[0:n + 16], weights[0:16]) out(y[0:n]) inout(calls) problem(n=1000)",
     "void kernel(const int* x, int* y, int n) {\n  ++calls;\n  for (int i = 0; i < n; ++i) {\n    y[i] = 0;\n"
     "    for (int k = 0; k < 16; ++k) y[i] += x[i + k] * weights[k];\n  }\n}",
     "void kernel(const int* x, int* y, int n) {\n  calls = calls + 1;\n  for (int i = 0; i < n; ++i) {\n    int s = "
     "0;\n"
     "    for (int k = 16; k-- > 0;) s += x[i + k] * weights[k];\n    y[i] = s;\n  }\n}",
     "void kernel(const int* x, int* y, int n) {\n  for (int i = 0; i < n; ++i) {\n    int s = 0;\n"
     "    for (int k = 0; k < 16; ++k) s += x[i + k] * weights[k];\n    y[i] = s;\n  }\n}",
     "calls[0] is"},
    {"RowsThatAreFurtherApart", "", "inout(A[0:m:lda][0:k]) problem(m=30, k=20, lda=32) requires(lda >= k)",
     "void kernel(int* A, int m, int k, int lda) {\n  for (int i = 0; i < m; ++i)\n"
     "    for (int j = 0; j < k; ++j) A[i * lda + j] *= 3;\n}",
     "",
     "void kernel(int* A, int m, int k, int lda) {\n  if (m > 0)\n"
     "    for (int j = 0; j < (m - 1) * lda + k; ++j) A[j] *= 3;\n}",
     "which no clause names"},
    {"ExtentThatStandsInTheData", "",
     "in(rows[0:n + 1], values[0:rows[n]]) out(sums[0:n]) problem(n=300, rows[n]=2000)",
     "void kernel(const int* rows, const int* values, int* sums, int n) {\n  for (int i = 0; i < n; ++i) {\n"
     "    sums[i] = 0;\n    for (int k = rows[i]; k < rows[i + 1]; ++k) sums[i] += values[k];\n  }\n}",
     "",
     "void kernel(const int* rows, const int* values, int* sums, int n) {\n  for (int i = 0; i < n; ++i) {\n"
     "    int s = 0;\n    for (int k = rows[i]; k <= rows[i + 1]; ++k) s += values[k];\n    sums[i] = s;\n  }\n}",
     "(n="},
    {"ExtentThatStandsInDataOfMember",
     "#include <vector>\nstruct Rows { int n; std::vector<int> start; const int* values; };",
     "in(a.start[0:a.n + 1], a.values[0:a.start[a.n]]) out(sums[0:a.n]) problem(a.n=300, a.start[a.n]=2000)",
     "void kernel(const Rows& a, int* sums) {\n  for (int i = 0; i < a.n; ++i) {\n"
     "    sums[i] = 0;\n    for (int k = a.start[i]; k < a.start[i + 1]; ++k) sums[i] += a.values[k];\n  }\n}",
     "void kernel(const Rows& a, int* sums) {\n  const int* v = a.values;\n  for (int i = 0; i < a.n; ++i) {\n"
     "    int s = 0;\n    for (int k = a.start[i + 1]; k-- > a.start[i];) s += v[k];\n    sums[i] = s;\n  }\n}",
     "void kernel(const Rows& a, int* sums) {\n  for (int i = 0; i < a.n; ++i) {\n"
     "    int s = 0;\n    for (int k = a.start[i]; k <= a.start[i + 1]; ++k) s += a.values[k];\n    sums[i] = s;\n  "
     "}\n}",
     "(a.n="},
    {"ComplexAndLongDouble", "#include <complex>", "in(x[0:n]) out(y[0:n], norms[0:n]) problem(n=1000)",
     "long double kernel(const std::complex<float>* x, std::complex<float>* y, long double* norms, int n,\n"
     "                   std::complex<float> a) {\n  long double sum = 0;\n  for (int i = 0; i < n; ++i) {\n"
     "    y[i] = a * x[i];\n    norms[i] = std::norm(x[i]);\n    sum += norms[i];\n  }\n  return sum;\n}",
     "",
     "long double kernel(const std::complex<float>* x, std::complex<float>* y, long double* norms, int n,\n"
     "                   std::complex<float> a) {\n  long double sum = 0;\n  for (int i = 0; i < n; ++i) {\n"
     "    y[i] = x[i] * std::conj(a);\n    sum += norms[i] = std::norm(x[i]);\n  }\n  return sum;\n}",
     "y["},
    {"ElementsBeforeThePointer", "", "in(x[-2:n + 4]) out(y[0:n]) problem(n=1000)",
     "void kernel(const int* x, int* y, int n) {\n"
     "  for (int i = 0; i < n; ++i) y[i] = x[i - 2] + x[i] + x[i + 2];\n}",
     "",
     "void kernel(const int* x, int* y, int n) {\n"
     "  int before = n ? x[-3] : 0;\n  for (int i = 0; i < n; ++i) y[i] = x[i - 2] + x[i] + x[i + 2] + 0 * before;\n"
     "  if (before == 12345678) y[0] = 0;\n}",
     "x[-3]"},
    {"StructsVariablesAndNullInC",
     "struct Image { int w, h, gain; const unsigned char* from; unsigned char* to; long total; int hist[16]; };\n"
     "static int bias[4];\nextern int shift;\nvoid set_bias(int i, int b) { bias[i] = b; }",
     "in(im->from[0:im->w*im->h], bias[0:4], mask[0:im->w*im->h]) out(im->to[0:im->w*im->h]) "
     "problem(im->w=40, im->h=30, shift=2) init(shift: uniform(0, 5))",
     "int kernel(struct Image* im, const unsigned char* mask) {\n  int i;\n"
     "  for (i = 0; i < im->w * im->h; ++i) {\n    int v = (im->from[i] * im->gain + bias[i & 3]) >> shift;\n"
     "    if (mask && mask[i] > 100) v = 0;\n    im->to[i] = (unsigned char)v;\n    im->total += v;\n"
     "    im->hist[v & 15]++;\n  }\n  return im->total & 255;\n}",
     "int kernel(struct Image* im, const unsigned char* mask) {\n  int i, n = im->w * im->h;\n"
     "  for (i = 0; i < n; ++i) {\n    int v = (im->from[i] * im->gain + bias[i & 3]) >> shift;\n"
     "    if (mask && mask[i] > 100) v = 0;\n    im->to[i] = (unsigned char)v;\n    im->total += v;\n"
     "    im->hist[v & 15]++;\n  }\n  return im->total & 255;\n}",
     "int kernel(struct Image* im, const unsigned char* mask) {\n  int i, n = im->w * im->h;\n"
     "  for (i = 0; i < n; ++i) {\n    int v = (im->from[i] * im->gain + bias[i & 3]) >> shift;\n"
     "    if (mask[i] > 100) v = 0;\n    im->to[i] = (unsigned char)v;\n    im->total += v;\n"
     "    im->hist[v & 15]++;\n  }\n  return im->total & 255;\n}",
     "mask=null", "-x c -O2 -std=c89 -pedantic-errors -Wall -Wextra -Werror"},
    {"WorkloadInC",  // run lengths into memory that may be too small, and what a struct of the caller's keeps
     "#include <stdlib.h>\n#include <string.h>\n#include <hone/workload.h>\n"
     "struct sink { unsigned char* at; size_t room, used; double full; };\n"
     "int kernel(const unsigned char* from, int n, struct sink* to);\n"
     "struct work { unsigned char* from; int n; struct sink to; int failed; };\n"
     "HONE_WORKLOAD void unpack(void* given) {\n  struct work* w = (struct work*)given;\n"
     "  w->failed = kernel(w->from, w->n, &w->to);\n}\n"
     "HONE_WORKLOAD void make(hone_workload* w, int n, double spare) {\n  struct work one;\n"
     "  if (n < 0) { hone_skip(w); return; }\n  one.n = 2 * n;\n  one.from = (unsigned char*)malloc(2 * (size_t)n + "
     "1);\n"
     "  hone_fill(w, one.from, one.n, 0, 255);\n  one.to.room = (size_t)((double)n * 127 * (1 + spare));\n"
     "  one.to.used = 0;\n  one.to.full = 0;\n  one.to.at = (unsigned char*)calloc(one.to.room + 1, 1);\n"
     "  hone_time(w, unpack, &one);\n  hone_check(w, one.to.used <= one.to.room);\n  hone_exact(w, &one.failed, 1);\n"
     "  hone_exact(w, one.to.at, one.to.used);\n  hone_close(w, &one.to.full, 1);\n  free(one.from);\n  "
     "free(one.to.at);\n}",
     "workload(make) problem(n=200, spare=0.01)",
     "int kernel(const unsigned char* from, int n, struct sink* to) {\n  int i, k;\n"
     "  for (i = 0; i + 1 < n; i += 2)\n    for (k = 0; k < from[i]; ++k) {\n"
     "      if (to->used == to->room) return 1;\n      to->at[to->used++] = from[i + 1];\n    }\n"
     "  to->full = (double)to->used / (1.0 + (double)to->room);\n  return 0;\n}",
     "#include <string.h>\nint kernel(const unsigned char* from, int n, struct sink* to) {\n  int i;\n"
     "  for (i = 0; i + 1 < n; i += 2) {\n    const size_t left = to->room - to->used;\n"
     "    const size_t count = from[i] < left ? from[i] : left;\n    memset(to->at + to->used, from[i + 1], count);\n"
     "    to->used += count;\n    if (count < from[i]) return 1;\n  }\n"
     "  to->full = (double)to->used / (1.0 + (double)to->room);\n  return 0;\n}",
     "#include <string.h>\nint kernel(const unsigned char* from, int n, struct sink* to) {\n  int i;\n"
     "  for (i = 0; i + 1 < n; i += 2) {\n    const size_t left = to->room - to->used;\n"
     "    const size_t count = from[i] < left ? from[i] : left;\n    memset(to->at + to->used, from[i + 1], count);\n"
     "    to->used += count;\n  }\n"
     "  to->full = (double)to->used / (1.0 + (double)to->room);\n  return 0;\n}",
     "results[0] is 0, expected 1", "-x c -O2 -std=c89 -pedantic-errors -Wall -Wextra -Werror -I" HONE_HEADERS},
    {"WorkloadInCpp98",
     "#include <string>\n#include <vector>\n#include <hone/workload.h>\n"
     "struct text { static int kernel(const std::string& from, std::vector<int>& seen); };\n"
     "struct work { std::string from; std::vector<int> seen; int most; };\n"
     "HONE_WORKLOAD void count(void* given) {\n  work& w = *static_cast<work*>(given);\n"
     "  w.most = text::kernel(w.from, w.seen);\n}\n"
     "HONE_WORKLOAD void make(hone_workload* w, int n) {\n  work one;\n  one.from.resize(n + 1);\n"
     "  one.seen.resize(256);\n  hone_fill(w, &one.from[0], n + 1, 'a', 'z');\n  hone_time(w, count, &one);\n"
     "  hone_exact(w, &one.most, 1);\n  hone_exact(w, &one.seen[0], one.seen.size());\n}",
     "workload(make) problem(n=2000)",
     "int text::kernel(const std::string& from, std::vector<int>& seen) {\n  int most = 0;\n"
     "  for (std::size_t i = 0; i < from.size(); ++i) {\n    const int now = ++seen[(unsigned char)from[i]];\n"
     "    if (now > most) most = now;\n  }\n  return most;\n}",
     "int text::kernel(const std::string& from, std::vector<int>& seen) {\n  int most = 0, *const counts = &seen[0];\n"
     "  for (const char *at = from.data(), *end = at + from.size(); at != end; ++at) {\n"
     "    const int now = ++counts[(unsigned char)*at];\n    most = now > most ? now : most;\n  }\n  return most;\n}",
     "int text::kernel(const std::string& from, std::vector<int>& seen) {\n  int most = 0;\n"
     "  for (std::size_t i = 1; i < from.size(); ++i) {\n    const int now = ++seen[(unsigned char)from[i]];\n"
     "    if (now > most) most = now;\n  }\n  return most;\n}",
     "results[", "-O2 -std=c++98 -pedantic-errors -Wall -Wextra -Werror -I" HONE_HEADERS},
};

INSTANTIATE_TEST_SUITE_P(Kernels, Arguments, testing::ValuesIn(shapes),
                         [](const testing::TestParamInfo<Shape>& info) { return info.param.name; });

std::string complaint(const std::string& source) {
  const SmallProject project(source, "-O2 -std=c++20");
  const Ended ended = run(project.folder(), {"list"});
  return ended.out + ended.err;
}

TEST(ArgumentMistakes, NameWhatIsWrong) {
  EXPECT_THAT(complaint("struct Grid { int w; float* cells; };\n#pragma hone kernel in(g.cells[0:4])\n"
                        "float kernel(const Grid* g) { return g->cells[0]; }\n"),
              HasSubstr("'g.cells' is written 'g->cells', as 'g' is a pointer"));
  EXPECT_THAT(complaint("struct Grid { int w; const float* cells; const float* mask; };\n"
                        "#pragma hone kernel in(g->cells[0:4])\n"
                        "float kernel(const Grid* g) { return g->cells[0] + g->mask[0]; }\n"),
              HasSubstr("the function uses 'g->mask'; say how much it holds"));
  EXPECT_THAT(complaint("#pragma hone kernel in(x)\nint kernel(const int* x) { return x[0]; }\n"),
              HasSubstr("the extent of 'x' is missing; write x[0:n]"));
  EXPECT_THAT(complaint("static int table[4];\nvoid set() { table[0] = 1; }\n#pragma hone kernel in(x[0:4])\n"
                        "int kernel(const int* x) { return x[0] + table[1]; }\n"),
              HasSubstr("uses the variable 'table', which other code can change; say what it holds with in(table)"));
}

// Where no clause speaks of null, what the function does not survive is no case.
TEST(ArgumentMistakes, NameNullThatFunctionDoesNotSurvive) {
  const std::string function = "int kernel(const int* x) { return x ? x[0] : 0; }\n";
  const std::string broken = "int kernel(const int* x) { return x[0] + (x != nullptr); }\n";
  const auto judged = [](const std::string& clause, const std::string& text) {
    const SmallProject project("#pragma hone kernel in(x[0:4]" + clause + ")\n" + text, "-O2 -std=c++20");
    const Ended ended = run(project.folder(), {"eval", "--kernel", "kernel", "-"}, text);
    return ended.out + ended.err;
  };
  EXPECT_THAT(judged("|null", function), testing::Not(HasSubstr("null")));
  EXPECT_THAT(judged("", broken), testing::Not(HasSubstr("null")));
  EXPECT_THAT(judged("|null", broken), HasSubstr("does not survive that 'x' is null, and the clause for x says |null"));
}

TEST(ArgumentMistakes, NameContainerThatOriginalResizesAndViewThatItMoves) {
  const auto judged = [](const std::string& head, const std::string& function) {
    const SmallProject project("#include <span>\n#include <vector>\n" + head + function, "-O2 -std=c++20");
    const Ended ended = run(project.folder(), {"eval", "--kernel", "kernel", "-"}, function);
    return ended.out + ended.err;
  };
  EXPECT_THAT(judged("#pragma hone kernel inout(x[0:x.size()]) problem(x.size()=100)\n",
                     "void kernel(std::vector<int>& x) {\n  x[0] += 1;\n  x.pop_back();\n}\n"),
              HasSubstr("the original changed the size of a container that it is given"));
  EXPECT_THAT(judged("#pragma hone kernel in(x[0:x.size()]) problem(x.size()=100)\n",
                     "int kernel(std::span<const int>& x) {\n  x = x.subspan(1);\n  return x[0];\n}\n"),
              HasSubstr("it moved a view that it is given"));
}

// A capture could give the sizes, so the one who judges says that there are none.
TEST(ArgumentMistakes, NameMissingProblemWhenJudged) {
  const std::string function = "int kernel(const std::vector<int>& x) { return x[0]; }\n";
  const SmallProject project("#include <vector>\n#pragma hone kernel in(x[0:x.size()])\n" + function, "-O2 -std=c++20");
  const Ended ended = run(project.folder(), {"eval", "--kernel", "kernel", "-"}, function);
  EXPECT_THAT(ended.err, HasSubstr("add problem(x.size()=…)"));
}

}  // namespace
}  // namespace hone
