// The built-in proposer's candidates for C kernels: compiled as C of the unit's standard, and right.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <charconv>
#include <cstdlib>
#include <fstream>

#include "tool/frontend/parse/clang_options.h"
#include "tool/os/files/files.h"
#include "tool/transforms/workshop.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

// What C programs look like: everything is declared at the top.
constexpr const char* kOldKernel = R"(float kernel(const float *a, const float *b, float *c, int n)
{
  int i, j, k, big;
  float sum, largest = 0, total = 0, *row;
  /* a row by a column */
  for (i = 0; i < n; i++) {
    row = c + i * n;
    for (j = 0; j < n; j++) {
      sum = 0;
      for (k = 0; k < n; k++)
        sum += a[i * n + k] * b[k * n + j] / (float)n;
      row[j] = sum;
      if (sum > largest) largest = sum;
    }
  }
  for (i = 0; i < n * n; i++) {
    total += expf(-c[i] * c[i]) + sqrtf(fabsf(a[i]));
  }
  big = n > 3;
  return total + largest + big;
}
)";

constexpr const char* kDriver = R"(
#include <math.h>
#include <stdio.h>
typedef float function(const float *, const float *, float *, int);
extern function kernel, *candidates[];
int main(void) {
  static float a[1600], b[1600], c[1600], d[1600];
  int i, n, number;
  for (i = 0; i < 1600; i++) { a[i] = (float)(i * 7 % 13) - 5; b[i] = (float)(i * 5 % 11) - 4; }
  for (number = 0; candidates[number]; number++)
    for (n = 0; n <= 40; n = n < 10 ? n + 1 : n + 15) {
      float expected = kernel(a, b, c, n), got = candidates[number](a, b, d, n);
      if (fabs(got - expected) > 1e-3 * (1 + fabs(expected))) return printf("%d: %g, not %g\n", number, got, expected), 1;
      for (i = 0; i < n * n; i++)
        if (fabs(c[i] - d[i]) > 1e-3 * (1 + fabs(c[i]))) return printf("%d: at %d of %d\n", number, i, n), 1;
    }
  return 0;
}
)";

class CWorkshop {
 public:
  explicit CWorkshop(const std::string& standard, const char* kernel = kOldKernel)
      : standard_(standard), kernel_(kernel) {
    KernelSpec spec;
    spec.name = spec.qualified_name = "kernel";
    spec.language = standard.substr(5);
    spec.file = "/snippet/kernel.c";
    spec.unit.prologue = prologue;
    spec.unit.definition = kernel;
    ElementType floating;
    floating.fields = {Field{"", ScalarType{ScalarKind::floating, 4}, 0, 1}};
    spec.result = floating;
    const CompileCommand command{"/", spec.file, "kernel.o", {"gcc", standard, "-O2", "-c", spec.file}};
    auto opened = Workshop::open(spec, command, Options{});
    if (!opened) throw std::runtime_error(opened.error().message());
    workshop_ = std::move(*opened);
  }

  // Each transformation at each of its sites.
  std::vector<std::string> single_steps() {
    std::vector<std::string> candidates;
    for (const auto& transform : workshop_->survey().transforms)
      for (unsigned site = 0; site < transform.sites; ++site) {
        Gene gene{transform.transform, site, {}};
        for (const auto& choices : transform.argument_choices) gene.arguments.push_back(choices.front());
        const Rendered rendered = workshop_->render({gene});
        if (!rendered.applied.empty()) candidates.push_back(rendered.source);
      }
    return candidates;
  }

  Workshop& operator*() { return *workshop_; }
  Workshop* operator->() { return workshop_.get(); }

  // "" when all compile as C and give what the kernel gives.
  std::string difference(const std::vector<std::string>& candidates) const {
    const auto folder = os::TemporaryFolder::create("hone-c-transforms").value();
    const auto write = [&](const std::string& name, const std::string& text) {
      std::ofstream(folder.path() / name) << text;
    };
    write("original.c", std::string(prologue) + kernel_);
    write("driver.c", kDriver);
    std::string table = "typedef float function(const float *, const float *, float *, int);\n", names;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      const std::string name = "candidate_" + std::to_string(i);
      const SplitSource split = split_includes(candidates[i]);
      write(name + ".c", std::string(prologue) + split.includes + "#define kernel " + name + "\n#line 1 \"" + name +
                             "\"\n" + split.definition);
      table += "extern function " + name + ";\n";
      names += name + ", ";
    }
    write("table.c", table + "function *candidates[] = {" + names + "0};\n");
    const std::string command = "cd " + folder.path().string() + " && (gcc " + standard_ +
                                " -O1 -w -fsanitize=address,undefined -fno-sanitize-recover=all -o program *.c -lm && "
                                "./program) > log 2>&1";
    if (std::system(command.c_str()) == 0) return "";
    const std::string log = os::read_file(folder.path() / "log").value_or("no log");
    std::size_t number = 0;  // "3: 1, not 2": of the candidate that differs
    const bool differs = std::from_chars(log.data(), log.data() + log.size(), number).ec == std::errc();
    return log + (differs && number < candidates.size() ? candidates[number] : "");
  }

 private:
  static constexpr const char* prologue =
      "#include <math.h>\n#ifndef M_PI\nfloat expf(float), sqrtf(float), fabsf(float);\n#endif\n";
  std::string standard_;
  const char* kernel_;
  std::unique_ptr<Workshop> workshop_;
};

class CStandards : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(Standards, CStandards, testing::Values("-std=c89", "-std=gnu17"),
                         [](const auto& info) { return std::string(info.param).substr(5); });

TEST_P(CStandards, EveryTransformationAndRecipeGivesRightC) {
  CWorkshop workshop(GetParam());
  const Catalog catalog = workshop->survey();
  std::vector<std::string> candidates = workshop.single_steps();
  for (const Genome& recipe : catalog.recipes) candidates.push_back(workshop->render(recipe).source);
  EXPECT_GT(candidates.size(), 15u);
  EXPECT_EQ(workshop.difference(candidates), "");
}

// Counters that a loop's body declares in front of the loops that count by them. One serves two loops, one has a value,
// and the loop of one varies from lane to lane.
constexpr const char* kCountersInBody = R"(float kernel(const float *a, const float *b, float *c, int n)
{
  int i, j;
  float total = 0;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      int k, m = 3, w, twice;
      float sum = 0;
      for (k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
      twice = 2;
      for (w = 0; w < j; w++) sum += w;
      for (k = 0; k < 2; k++) sum += k;
      for (m = 0; m < n; m++) sum -= b[m * n + j] / (float)(twice * n);
      c[i * n + j] = sum;
    }
  for (i = 0; i < n * n; i++) total += c[i] / (float)(n * n);
  return total;
}
)";

TEST_P(CStandards, CountersOfBodyServeEveryLane) {
  CWorkshop workshop(GetParam(), kCountersInBody);
  std::vector<std::string> candidates;
  for (const Genome& genome : {Genome{{"vectorise_outer", 1, {8}}}, Genome{{"vectorise_outer", 0, {16}}},
                               Genome{{"vectorise_outer", 1, {16}}, {"unroll_jam", 0, {4}}}}) {
    const Rendered rendered = workshop->render(genome);
    if (GetParam() == std::string("-std=gnu17")) {
      EXPECT_EQ(rendered.applied.size(), genome.size()) << rendered.source;
    }
    candidates.push_back(rendered.source);
  }
  for (std::string& step : workshop.single_steps()) candidates.push_back(std::move(step));
  EXPECT_EQ(workshop.difference(candidates), "");
}

// A loop that begins with what another one left, and one whose counter a loop inside sets anew.
TEST_P(CStandards, CountersWhoseValuesPassOnStay) {
  CWorkshop workshop(GetParam(), R"(float kernel(const float *a, const float *b, float *c, int n)
{
  int k, m;
  float total = 0;
  for (k = 0; k < n * n / 2; k++) c[k] = a[k];
  for (k = k + 0; k < n * n; k++) c[k] = b[k];
  for (m = 0; m < n; m++) {
    total += a[m];
    for (m = m < 4 ? m : n; m < n; m += 2) total -= b[m];
  }
  return total;
}
)");
  EXPECT_EQ(workshop.difference(workshop.single_steps()), "");
}

constexpr const char* kCallingKernel = R"(struct range { float least, most; };
static void widen(struct range *r, float v)
{
  if (v < r->least) r->least = v;
  if (v > r->most) r->most = v;
}
static float column(const float *row, const float *col, int stride, int n)
{
  float sum = 0;
  float last;
  int more, k;
  for (k = 0; k < n; k++, col += stride) sum += row[k] * *col;
  more = 0;
  for (k = 0; k < n; k++) more += k;
  for (k = 0; k < 2; k++) { last = sum + k; sum = last - k; }
  return sum + more;
}
static int limited(int v, int n) { if (v < 0) return 0; if (v >= n) return n - 1; return v; }
float kernel(const float *a, const float *b, float *c, int n)
{
  struct range all = {0, 0};
  int i, j, k = 0;
  for (i = 0; i < n; i++)
    for (j = 0; j < n; j++) {
      c[i * n + j] = column(a + i * n, b + limited(j - 1, n), n, n);
      widen(&all, c[i * n + j]);
      k += limited(i - j, n);
    }
  return all.most - all.least + k;
}
)";

TEST_P(CStandards, CalledFunctionsGoIntoKernel) {
  CWorkshop workshop(GetParam(), kCallingKernel);
  const Genome all(4, Gene{"inline_calls", 0, {}});
  const Rendered rendered = workshop->render(all);
  if (GetParam() == std::string("-std=gnu17")) {
    EXPECT_THAT(rendered.source, HasSubstr("for (int k_2 = 0; k_2 < 2;"));
  }
  EXPECT_THAT(rendered.source.substr(rendered.source.find("float kernel(")),
              Not(testing::AnyOf(HasSubstr("column("), HasSubstr("limited("), HasSubstr("widen("))))
      << rendered.source;
  std::vector<std::string> candidates{rendered.source};
  const Catalog catalog = workshop->survey();
  for (std::size_t i = 0; i < 4; ++i) candidates.push_back(workshop->render(catalog.recipes.at(i)).source);
  EXPECT_EQ(workshop.difference(candidates), "");
}

constexpr const char* kDoubleKernel = R"(float kernel(const float *a, const float *b, float *c, int n)
{
  double x, sum = 0;
  int i, t;
  for (i = 0; i < n * n; i++) {
    x = a[i] * 0.25;
    c[i] = exp(x) + log(1 + x * x) + tanh(x);
  }
  for (i = 0; i < n * n; i++) {
    sum += b[i] + exp(-0.5);
    c[i] += sum;
  }
  for (t = 0; t < 7; t++)
    for (i = 1; i < n * n - 1; i++) c[i] = 0.5f * (c[i - 1] + c[i + 1]);
  return sum;
}
)";

TEST_P(CStandards, DoublesSweepsAndScansGiveRightC) {
  CWorkshop workshop(GetParam(), kDoubleKernel);
  std::vector<std::string> candidates;
  for (const std::string name : {"vector_math", "scan", "skew"}) {
    const Rendered rendered = workshop->render({Gene{name, 0, {}}});
    EXPECT_EQ(rendered.applied.size(), 1u) << name << "\n" << rendered.source;
    candidates.push_back(rendered.source);
  }
  EXPECT_EQ(workshop.difference(candidates), "");
}

// Of bytes in a checksum's three forms: a guard, types of its own, and lanes.
constexpr const char* kChecksums = R"(#define BASE 65521U
float kernel(const float *a, const float *b, float *c, int n)
{
  const unsigned char *bytes = (const unsigned char *)a;
  unsigned long s1 = 1, s2;
  unsigned int len = n * n * 4, t1 = 7, t2 = 5, modulus = n + 2;
  unsigned short f1 = 0, f2 = 0;
  int i;
  s2 = (unsigned long)(b[0] * b[0]);
  while (len--) {
    s1 += *bytes++;
    if (s1 >= BASE) s1 -= BASE;
    s2 += s1;
    if (s2 >= BASE) s2 -= BASE;
  }
  bytes = (const unsigned char *)b;
  for (i = 0; i < n * n; i++) { t1 = (t1 + bytes[i]) % modulus; t2 = (t2 + t1) % modulus; }
  for (i = 0; i < n * n; i++) { f1 = (f1 + bytes[i]) % 255; f2 = (f2 + f1) % 255; }
  c[0] = s1; c[1] = s2; c[2] = t1; c[3] = t2; c[4] = f1; c[5] = f2;
  return s1 + s2;
}
)";

TEST_P(CStandards, RemaindersWaitInC) {
  CWorkshop workshop(GetParam(), kChecksums);
  const Gene deferred{"deferred_modulo", 0, {64}}, counted{"canonical_loop", 0, {}};
  std::vector<std::string> candidates;
  for (const Genome& genome :
       {Genome{deferred, deferred, {"sum_of_sums", 0, {}}},
        {counted, deferred, deferred, deferred, {"sum_of_sums", 2, {}}, {"sum_of_sums", 0, {}}}}) {
    const Rendered rendered = workshop->render(genome);
    EXPECT_EQ(rendered.applied.size(), genome.size()) << rendered.source;
    candidates.push_back(rendered.source);
  }
  EXPECT_EQ(workshop.difference(candidates), "");
}

TEST(CDeclarations, MoveToWhereTheirValuesBegin) {
  CWorkshop workshop("-std=gnu17");
  const std::string source = workshop->render({}).source;
  EXPECT_THAT(source, HasSubstr("float sum = 0;"));
  EXPECT_THAT(source, HasSubstr("float *row = c + i * n;"));
  EXPECT_THAT(source, Not(HasSubstr("sum, largest")));
  EXPECT_THAT(source, HasSubstr("int i, j, k, big;")) << "what is used outside of loops stays";
}

TEST(CDeclarations, StayIfAValuePassesOn) {
  CWorkshop workshop("-std=gnu17", R"(float kernel(const float *a, const float *b, float *c, int n) {
  float last, first, pointed, *p = 0;
  int i;
  last = 0;
  for (i = 0; i < n; i++) {
    if (i == 0) first = a[i];
    pointed = a[i];
    if (i == 0) p = &pointed;
    c[i] = last + first;
    last = a[i];
  }
  return p ? *p : 0;
}
)");
  EXPECT_THAT(workshop->render({}).source, HasSubstr("float last, first, pointed, *p = 0;"));
}

}  // namespace
}  // namespace hone::frontend
