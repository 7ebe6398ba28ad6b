#include <gtest/gtest.h>

#include <cmath>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

// Reductions of several kinds, in several spellings, over a range that starts late and steps by three.
const Snippet reductions{
    R"(double kernel(const float* x, const int* k, unsigned n) {
  float sum = 0.5f, largest = x[0], smallest = x[0];
  unsigned bits = 5u, all = ~0u, count = 0;
  int parity = 1;
  for (unsigned i = 2; i < n; i += 3) {
    float v = x[i] * 2;
    if (v > largest) largest = v;
    smallest = v < smallest ? v : smallest;
    sum += v;
    bits |= unsigned(k[i]);
    all &= unsigned(k[i]) | 3u;
    parity ^= k[i];
    if (v < 0) continue;
    ++count;
  }
  return sum + largest * 3 + smallest * 7 + bits % 1000 + all % 1000 + parity + count;
})",
    "auto x = numbers<float>(n + 1); auto k = numbers<int>(n + 1);"
    "keep(std::vector<double>{kernel(x.data(), k.data(), n)});"};

TEST(ReductionLanes, KeepsEveryKindOfReductionOverOddRange) {
  Workbench bench(reductions);
  for (int width : {2, 8, 16}) EXPECT_EQ(bench.difference(bench.apply({{"lanes", 0, {width}}}), 1e-5), "");
}

TEST(ReductionLanes, ToleratesAbsurdArguments) {
  Workbench bench(reductions);
  EXPECT_EQ(bench.difference(bench.apply({{"lanes", 0, {-7, 3}}}), 1e-5), "");
  EXPECT_EQ(bench.difference(bench.apply({{"lanes", 0, {13}}}), 1e-5), "");
}

TEST(ReductionLanes, RejectsLoopThatCarriesMoreThanSum) {
  Workbench bench({R"(float kernel(const float* x, float* y, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) { sum += x[i]; y[i] = sum; }
  for (int i = 0; i < n; ++i) { if (x[i] > 90) return sum; sum += 1; }
  return sum;
})",
                   "auto x = numbers<float>(n), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(y);"});
  EXPECT_TRUE(bench.workshop().render({{"lanes", 0, {}}, {"lanes", 1, {}}}).applied.empty());
}

const Snippet soft_maximum{
    R"(namespace { using real = float; }
template <class T> static inline T square(T v) { return v * v; }
void kernel(const real* in, real* out, int rows, int cols) {
  for (int r = 0; r < rows; r++) {
    const real *x = in + r * cols; real *y = out + r * cols;
    real top = -1e30f, sum = 0;
    for (int c = 0; c < cols; c++) if (x[c] > top) top = x[c];
    for (int c = 0; c < cols; c++) { y[c] = expf(x[c] - top); sum += y[c]; }
    for (int c = 0; c < cols; c++) y[c] /= sum;
    for (int c = 0; c < cols; c++) y[c] += tanh(x[c]) + std::log(x[c] * x[c] + 1.f) / std::sqrt(square(x[c]) + 2) + std::sqrt(x[c] * x[c]);
  }
})",
    "auto x = numbers<float>(n * 37), y = numbers<float>(n * 37); kernel(x.data(), y.data(), n, 37); keep(y);",
    "#include <cmath>\n#include <math.h>\n"};

// Clones are for what processors can do, not for types of them; and none where the kernel may need what clones lack.
TEST(InstructionSet, ClonesByLevelAndByFeatureForBaselineBuilds) {
  Snippet snippet = reductions;
  snippet.machine = "-march=x86-64";
  Workbench bench(snippet);
  EXPECT_NE(bench.apply({{"isa", 0, {1}}}).find("\"arch=x86-64-v3\""), std::string::npos);
  const std::string by_feature = bench.apply({{"isa", 0, {2}}});
  EXPECT_NE(by_feature.find("target_clones(\"avx512f\", \"avx2\", \"default\")"), std::string::npos) << by_feature;
  EXPECT_EQ(bench.difference(by_feature, 1e-5), "");
  snippet.machine = "-msha";
  EXPECT_TRUE(Workbench(snippet).workshop().render({{"isa", 0, {1}}}).applied.empty());
}

// "isa" has a choice for -march=native where that has 512-bit vectors.
Genome with_isa(Genome genome) {
  if (__builtin_cpu_supports("avx512f")) genome.push_back({"isa", 0, {}});
  return genome;
}

TEST(VectorMath, MatchesLibraryInRealKernel) {
  Workbench bench(soft_maximum);
  EXPECT_EQ(bench.difference(bench.apply({{"vector_math", 0, {0}}}), 1e-5), "");
  EXPECT_EQ(bench.difference(bench.apply(with_isa({{"restrict", 0, {}},
                                                   {"select", 0, {}},
                                                   {"reciprocal", 0, {}},
                                                   {"vector_math", 0, {0}},
                                                   {"lanes", 1, {16}},
                                                   {"lanes", 0, {8}},
                                                   {"fast_math", 0, {0}},
                                                   {"passes", 0, {0}}})),
                             1e-5),
            "");
}

// Every function over the range where it means something, and at the ends of its domain.
TEST(VectorMath, IsAccurateIncludingEndsOfDomain) {
  Workbench bench({R"(void kernel(const float* x, float* e, float* l, float* t, float* s, float* q, int n) {
  for (int i = 0; i < n; ++i) {
    e[i] = std::exp(x[i]);
    l[i] = std::log(x[i]);
    t[i] = std::tanh(x[i]);
    s[i] = std::sqrt(x[i]);
    q[i] = 1.0f / std::sqrt(x[i]);
  }
})",
                   R"(
  std::vector<float> x{0.f, -0.f, INFINITY, -INFINITY, NAN, 1.f, -1.f, 88.7f, 88.8f, 200.f, -87.f, -103.f, -104.f, -1e30f, 1e30f, 3e38f, 1.2e-38f};
  for (int i = -4000; i < 4000; ++i) x.push_back(i * (0.001f + 0.0001f * n));
  for (int i = -148; i < 120; ++i) x.push_back(std::ldexp(1.37f, i));
  int m = int(x.size());
  std::vector<float> e(m), l(m), t(m), s(m), q(m);
  kernel(x.data(), e.data(), l.data(), t.data(), s.data(), q.data(), m);
  // What is large or small is compared by its logarithm, so that the tolerance is relative.
  for (auto* v : {&e, &s, &q}) for (float& f : *v) if (f > 0 && f < INFINITY) f = std::log2(f);
  if (std::signbit(q[1])) q[1] = -q[1];
  keep(e); keep(l); keep(t); keep(s); keep(q);)",
                   "#include <cmath>\n#include <vector>\n"});
  EXPECT_EQ(bench.difference(bench.apply({{"vector_math", 0, {0}}}), 1e-6), "");
}

TEST(VectorMath, IsAccurateInDoublePrecisionIncludingEndsOfDomain) {
  Workbench bench({R"(void kernel(const double* x, double* e, double* l, double* t, int n) {
  for (int i = 0; i < n; ++i) {
    e[i] = std::exp(x[i]);
    l[i] = log(x[i]);
    t[i] = std::tanh(x[i]);
  }
})",
                   R"(
  std::vector<double> x{0., -0., INFINITY, -INFINITY, NAN, 1., -1., 709.78, 709.79, 2000., -708.5, -745.1, -745.2, -1e300, 1e300, 1.7e308, 2.3e-308, 0.625};
  for (int i = -4000; i < 4000; ++i) x.push_back(i * (0.001 + 0.0001 * n));
  for (int i = -1074; i < 1023; ++i) x.push_back(std::ldexp(1.37, i));
  int m = int(x.size());
  std::vector<double> e(m), l(m), t(m);
  kernel(x.data(), e.data(), l.data(), t.data(), m);
  // What is large or small is compared by its logarithm, so that the tolerance is relative.
  for (double& f : e) if (f > 0 && f < INFINITY) f = std::log2(f);
  for (double& f : t) if (std::fabs(f) < 1e-3 && f != 0) f = std::copysign(std::log2(std::fabs(f)), f);
  keep(e); keep(l); keep(t);)",
                   "#include <cmath>\n#include <vector>\n"});
  EXPECT_EQ(bench.difference(bench.apply({{"vector_math", 0, {0}}}), 4e-15), "");
}

// sin and cos also of what is too far to be counted in quarters of a circle; what erfc is small as by its logarithm.
TEST(VectorMath, HasErrorFunctionAndCircleOfFloats) {
  Workbench bench({R"(void kernel(const float* x, float* e, float* c, float* s, float* k, int n) {
  for (int i = 0; i < n; ++i) {
    e[i] = std::erf(x[i]);
    c[i] = erfcf(x[i]);
    s[i] = std::sin(x[i]);
    k[i] = cosf(x[i]);
  }
})",
                   R"(
  std::vector<float> x{0.f, -0.f, INFINITY, -INFINITY, NAN, 0.75f, -0.75f, 0.7499999f, 9.f, -9.f, 9.2f, 11.f, -20.f, 1e-30f, -1e-30f, 8000.f, -8193.f, 1e9f, -3e38f};
  for (int i = -4000; i < 4000; ++i) x.push_back(i * (0.001f + 0.0001f * n));
  int m = int(x.size());
  std::vector<float> e(m), c(m), s(m), k(m);
  kernel(x.data(), e.data(), c.data(), s.data(), k.data(), m);
  for (float& f : c) if (f > 1e-37f) f = std::log2(f); else if (f >= 0) f = 0;
  keep(e); keep(c); keep(s); keep(k);)",
                   "#include <cmath>\n#include <vector>\n"});
  EXPECT_EQ(bench.difference(bench.apply({{"vector_math", 0, {0}}}), 1e-6), "");
}

TEST(VectorMath, LeavesStripThatIsDoneAgainToLibrary) {
  Workbench bench({R"(void kernel(const float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) y[i] = std::sin(x[i]);
})",
                   "auto x = numbers<float>(n); std::vector<float> y(n); kernel(x.data(), y.data(), n); keep(y);",
                   "#include <cmath>\n#include <vector>\n"});
  const Genome twice{{"vector_math", 0, {0}}, {"vector_math", 0, {0}}};
  EXPECT_EQ(bench.workshop().render(twice).applied.size(), 1u);
}

// A strip that is done again must not read what it wrote.
TEST(VectorMath, LeavesCircleInLoopsThatCannotBeRepeated) {
  Workbench bench({R"(float kernel(float* x, int n) {
  float sum = 0;
  for (int i = 0; i < n; ++i) sum += std::sin(x[i]);
  for (int i = 0; i < n; ++i) x[i] = std::cos(x[i]) + std::exp(-x[i] * x[i]);
  return sum;
})",
                   "auto x = numbers<float>(n); keep(std::vector<float>{kernel(x.data(), n)}); keep(x);",
                   "#include <cmath>\n#include <vector>\n"});
  const std::string text = bench.apply({{"vector_math", 0, {0}}});
  EXPECT_EQ(text.find("vector_sin"), std::string::npos) << text;
  EXPECT_EQ(text.find("vector_cos"), std::string::npos) << text;
  EXPECT_NE(text.find("vector_exp"), std::string::npos) << text;
  EXPECT_EQ(bench.difference(text, 1e-6), "");
}

TEST(VectorMath, HasErrorFunctionAndCircleOfDoubles) {
  Workbench bench({R"(void kernel(const double* x, double* e, double* c, double* s, double* k, int n) {
  for (int i = 0; i < n; ++i) {
    e[i] = std::erf(x[i]);
    c[i] = erfc(x[i]);
    s[i] = std::sin(x[i]);
    k[i] = cos(x[i]);
  }
})",
                   R"(
  std::vector<double> x{0., -0., INFINITY, -INFINITY, NAN, 0.75, -0.75, 0.7499999999, 26., -26., 28., 30., -40., 1e-300, -1e-300, 8e5, -9e5, 2e6, -1e300};
  for (int i = -4000; i < 4000; ++i) x.push_back(i * (0.001 + 0.0001 * n));
  int m = int(x.size());
  std::vector<double> e(m), c(m), s(m), k(m);
  kernel(x.data(), e.data(), c.data(), s.data(), k.data(), m);
  for (double& f : c) if (f > 1e-300) f = std::log2(f); else if (f >= 0) f = 0;
  keep(e); keep(c); keep(s); keep(k);)",
                   "#include <cmath>\n#include <vector>\n"});
  EXPECT_EQ(bench.difference(bench.apply({{"vector_math", 0, {0}}}), 4e-15), "");
}

// Positive, normal arguments of logarithms; exponentials at both ends of their domain, but for what is denormal.
TEST(VectorMath, IsAccurateWithoutGuardsWhereItPromisesTo) {
  Workbench bench({R"(void kernel(const float* x, const double* d, float* e, float* l, double* f, double* g, int n) {
  for (int i = 0; i < n; ++i) {
    e[i] = std::exp(x[i]);
    l[i] = std::log(x[i] * x[i] + 1e-30f);
    f[i] = std::exp(d[i]);
    g[i] = std::log(d[i] * d[i] + 1e-300);
  }
})",
                   R"(
  std::vector<float> x{0.f, -0.f, 88.7f, 88.8f, 200.f, INFINITY, -87.3f, -87.4f, -103.f, -1e30f, -INFINITY, NAN};
  for (int i = -4000; i < 4000; ++i) x.push_back(i * (0.001f + 0.0001f * n));
  std::vector<double> d(x.begin(), x.end());
  d.insert(d.end(), {709.78, 709.79, 2000., -708.3, -708.4, -740.});
  x.resize(d.size());
  int m = int(x.size());
  std::vector<float> e(m), l(m);
  std::vector<double> f(m), g(m);
  kernel(x.data(), d.data(), e.data(), l.data(), f.data(), g.data(), m);
  for (float& v : e) if (v > 1.2e-38f && v < INFINITY) v = std::log2(v);
  for (double& v : f) if (v > 2.3e-308 && v < INFINITY) v = std::log2(v);
  for (int i : {5, 10, 11}) l[i] = 0, g[i] = 0;
  keep(e); keep(l); keep(f); keep(g);)",
                   "#include <cmath>\n#include <vector>\n"});
  EXPECT_EQ(bench.difference(bench.apply({{"vector_math", 0, {1}}}), 1e-6), "");
}

TEST(VectorMath, TakesRootsOfDoublesIncludingEndsOfDomain) {
  Workbench bench({R"(void kernel(const double* x, double* s, double* q, int n) {
  for (int i = 0; i < n; ++i) {
    s[i] = std::sqrt(x[i]);
    q[i] = 1 / sqrt(x[i]);
  }
})",
                   R"(
  std::vector<double> x{0., -0., INFINITY, -INFINITY, NAN, 1., -1., 1.7e308, 2.3e-308, 2e-292, 5e-324};
  for (int i = -1074; i < 1023; ++i) x.push_back(std::ldexp(1.37 + n, i));
  int m = int(x.size());
  std::vector<double> s(m), q(m);
  kernel(x.data(), s.data(), q.data(), m);
  for (auto* v : {&s, &q}) for (double& f : *v) if (f > 0 && f < INFINITY) f = std::log2(f);
  if (std::signbit(q[1])) q[1] = -q[1];
  keep(s); keep(q);)",
                   "#include <cmath>\n#include <vector>\n"});
  EXPECT_EQ(bench.difference(bench.apply({{"vector_math", 0, {0}}}), 4e-15), "");
}

TEST(VectorMath, RejectsLoneRootsAndExactKernels) {
  for (const std::string type : {"double", "float"}) {
    Snippet lone{"void kernel(" + type +
                     "* x, double* y, int n) { x[n] = std::sqrt(x[0]); for (int i = 0; i < n; ++i) "
                     "y[i] = expf(y[i]); }",
                 "", "#include <cmath>\n"};
    EXPECT_TRUE(Workbench(lone).workshop().render({{"vector_math", 0, {}}}).applied.empty()) << type;
  }
  Snippet exact = soft_maximum;
  exact.exact = true;
  Workbench bench(exact);
  EXPECT_TRUE(bench.workshop().render({{"vector_math", 0, {}}, {"reciprocal", 0, {}}}).applied.empty());
}

TEST(MemberLocals, KeepWhatIsWrittenAndWhatIsNot) {
  Workbench bench({R"(void kernel(const float* x, Mixer* m, const Gains& g, int n) {
  for (int i = 0; i < n; ++i) {
    m->total += x[i] * g.by[i & 3] * m->gain;
    m->levels[i] = m->total + m->late.size();
    if (x[i] > m->most) m->most = x[i], ++m->changes;
    m->late[i & 1] += x[i];
  }
})",
                   "auto x = numbers<float>(n), y = numbers<float>(n);"
                   "Mixer m = {y.data(), 0.5f, 0, 0, 3, {1.f, 2.f}}; const Gains g = {{1, 2, 3, 4}};"
                   "kernel(x.data(), &m, g, n); keep(y); keep(m.late);"
                   "keep(std::vector<float>{m.total, m.most, float(m.changes)});",
                   "#include <vector>\nstruct Gains { float by[4]; };\n"
                   "struct Mixer { float* levels; float gain, total, most; int changes; std::vector<float> late; };"});
  const std::string changed = bench.apply({{"member_locals", 0, {}}});
  EXPECT_EQ(bench.difference(changed), "");
  for (const char* line : {"float *__restrict__ const m_levels = m->levels;", "const float m_gain = m->gain;",
                           "float m_total = m->total;", "float *__restrict__ const m_late = m->late.data();",
                           "const float *__restrict__ const g_by = g.by;", "m->changes = m_changes;"})
    EXPECT_NE(changed.find(line), std::string::npos) << line << changed;
  EXPECT_EQ(bench.workshop().render({{"member_locals", 0, {}}, {"member_locals", 0, {}}}).applied.size(), 1u);
}

TEST(MemberLocals, FindElementsOfContainersByPointers) {
  Snippet containers{R"(void kernel(const std::vector<float>& x, std::vector<float>& y, std::span<float> r, int n) {
  std::vector<double> sums(x.size() + 1);
  std::vector<int> grows;
  std::vector<bool> odd(n);
  for (std::size_t i = 0; i < x.size(); ++i) {
    sums[i + 1] = sums[i] + x[i];
    const std::span<float> row = r.subspan(i % 4, 4);
    const std::span<double> last{sums.data() + i, 1};
    for (std::size_t k = 0; k < row.size(); ++k) row[k] += x[i] * last[0];
    grows.push_back(i);
    odd[i] = i % 2;
  }
  for (int i = 0; i < n; ++i) y[i] = sums[i + 1] + grows[i] + odd[i];
})",
                     "const auto x = numbers<float>(n); auto y = numbers<float>(n), r = numbers<float>(8);"
                     "kernel(x, y, r, n); keep(y); keep(r);",
                     "#include <span>\n#include <vector>\n"};
  containers.language = "-std=c++20";
  Workbench bench(containers);
  const std::string changed = bench.apply({{"member_locals", 0, {}}});
  EXPECT_EQ(bench.difference(changed), "");
  for (const char* line :
       {"const float *__restrict__ const x_data = x.data();", "const auto x_size = x.size();",
        "float *__restrict__ const y_data = y.data();", "double *__restrict__ const sums_data = sums.data();",
        "double *const last_data = (sums.data() + i);", "float *const row_data = r.data() + (i % 4);",
        "row_data[k] += x_data[i] * last_data[0];"})
    EXPECT_NE(changed.find(line), std::string::npos) << line << changed;
  for (const char* stays : {"grows.data()", "odd.data()"})
    EXPECT_EQ(changed.find(stays), std::string::npos) << stays << changed;
}

TEST(MemberLocals, LeavesMembersThatShareTheirName) {
  Workbench bench({R"(void kernel(Mixer* m, int n) {
  for (int i = 0; i < n; ++i) m->Base::gain += m->gain + m->shift;
})",
                   "Mixer m; m.Base::gain = 1; m.gain = 0.5f; m.shift = 2;"
                   "kernel(&m, n); keep(std::vector<float>{m.Base::gain, m.gain});",
                   "#include <vector>\nstruct Base { float gain, shift; }; struct Mixer : Base { float gain; };"});
  const std::string changed = bench.apply({{"member_locals", 0, {}}});
  EXPECT_EQ(bench.difference(changed), "");
  EXPECT_NE(changed.find("m_shift = m->shift;"), std::string::npos) << changed;
  EXPECT_EQ(changed.find("= m->gain;"), std::string::npos) << changed;
}

TEST(BranchToSelect, KeepsValuesOfEveryKindOfBranch) {
  Workbench bench({R"(void kernel(const float* x, unsigned char* y, int* z, int n) {
  int odd = 0; unsigned short total = 9;
  for (int i = 0; i < n; ++i) {
    if (x[i] > 3) y[i] = (unsigned char)i; else y[i] = 7;
    if (x[i] < 0) ++odd;
    if (x[i] < -2 && i % 2) { total += y[i] + 1, 5; }
    if (x[i] < -2) { total -= 3; } else { total -= y[i]; }
    if (i & 1) z[i] = odd;
    z[i] += total;
  }
})",
                   "auto x = numbers<float>(n); auto y = numbers<unsigned char>(n); auto z = numbers<int>(n);"
                   "kernel(x.data(), y.data(), z.data(), n); keep(y); keep(z);"});
  // The third has a comma in it: not a plain value.
  Genome all(4, Gene{"select", 0, {}});
  EXPECT_EQ(bench.difference(bench.apply(all)), "");
}

// Where there is no memory, a choice would still touch it.
TEST(BranchToSelect, LeavesQuestionsAboutPointersAlone) {
  Workbench bench({R"(void kernel(float* y, float* z, int n) {
  for (int i = 0; i < n; ++i) {
    if (z) z[i] = y[i];
    if (y != 0) y[i] = 0;
    if (!(i > 2 && !z)) y[i] = 1;
  }
})",
                   ""});
  EXPECT_TRUE(bench.workshop().render({{"select", 0, {}}}).applied.empty());
}

TEST(Reciprocal, InvertsEachDivisorOnceBeforeLoop) {
  Workbench bench({R"(void kernel(double* y, float* z, const float* x, double d, int n) {
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] / d + y[i] / (d + 1) / 3;
    y[i] /= d;
    z[i] = z[i] / (float)d * (1 / z[0]);
  }
})",
                   "auto y = numbers<double>(n); auto x = numbers<float>(n), z = numbers<float>(n + 1); z[0] = 2;"
                   "kernel(y.data(), z.data(), x.data(), 1.7, n); keep(y); keep(z);"});
  EXPECT_EQ(bench.difference(bench.apply({{"reciprocal", 0, {}}}), 1e-6), "");
}

TEST(RestrictPointers, RejectsParametersOfAliasClause) {
  Snippet snippet{
      "void kernel(float* x, const float *y, float z[], int n) { for (int i = 0; i < n; ++i) z[i] = x[i] + y[i]; }",
      "auto x = numbers<float>(n), z = numbers<float>(n); kernel(x.data(), x.data(), z.data(), n); keep(z);"};
  snippet.alias_groups = {0, 0, -1, -1};
  EXPECT_TRUE(Workbench(snippet).workshop().render({{"restrict", 0, {}}}).applied.empty());
  snippet.alias_groups = {};
  Workbench bench(snippet);
  std::string source = bench.apply({{"restrict", 0, {}}});
  EXPECT_NE(source.find("float *__restrict__ x, const float *__restrict__ y, float z[]"), std::string::npos) << source;
  EXPECT_EQ(bench.difference(source), "");
}

TEST(FunctionFlags, CompileOnAttributedKernelAndApplyOnce) {
  Workbench bench({R"(__attribute__((noinline)) static inline float kernel(const float* x, int n) noexcept
{
  float s = 0;
  for (int i = 0; i < n; ++i) if (x[i] > 0) s += std::abs(x[i]);
  return s;
})",
                   "auto x = numbers<float>(n); keep(std::vector<float>{kernel(x.data(), n)});", "#include <cmath>\n"});
  for (int level : {0, 1, 2, 3}) {
    std::string source = bench.apply(with_isa({{"fast_math", 0, {level}}, {"passes", 0, {1}}}));
    EXPECT_EQ(bench.difference(source, 1e-5), "");
  }
  EXPECT_EQ(bench.workshop().render({{"fast_math", 0, {0}}, {"fast_math", 0, {1}}}).applied.size(), 1u);
}

TEST(FunctionFlags, AreNotOfferedToFunctionThatIsAlwaysInlined) {
  const auto applied = [](const std::string& attribute) {
    Workbench bench(
        {attribute + "static inline void kernel(float* x, int n) {\n  for (int i = 0; i < n; ++i) x[i] *= 3;\n}",
         "auto x = numbers<float>(n); kernel(x.data(), n); keep(x);"});
    return bench.workshop().render({{"fast_math", 0, {0}}, {"passes", 0, {1}}}).applied.size();
  };
  EXPECT_EQ(applied(""), 2u);
  EXPECT_EQ(applied("__attribute__((always_inline)) "), 0u);
}

TEST(FunctionFlags, DoNotRelaxExactArithmetic) {
  Workbench bench(
      {"void kernel(float* x, int n) { for (int i = 0; i < n; ++i) x[i] = x[i] + 1 - x[i]; }", "", "", 1, true});
  std::string source = bench.apply({{"fast_math", 0, {1}}});
  EXPECT_EQ(source.find("fast-math"), std::string::npos) << source;
  EXPECT_EQ(source.find("associative"), std::string::npos) << source;
}

TEST(IndependentIterations, MarksLoopWithoutBraces) {
  Workbench bench({R"(void kernel(float* x, const int* to, int n) {
  if (n > 3)
    for (int i = 0; i < n; ++i) x[i] = x[i + n] * 2;
})",
                   "auto x = numbers<float>(2 * n); kernel(x.data(), nullptr, n); keep(x);"});
  EXPECT_EQ(bench.difference(bench.apply({{"ivdep", 0, {}}})), "");
}

TEST(IndependentIterations, LeaveLoopThatReadsWhatItJustWrote) {
  const auto applied = [](const std::string& statement) {
    Workbench bench({"void kernel(float* x, const float* y, int n) { for (int i = 1; i < n; ++i) " + statement + " }",
                     "auto x = numbers<float>(n + 1), y = numbers<float>(n); kernel(x.data(), y.data(), n); keep(x);"});
    return bench.workshop().render({{"ivdep", 0, {}}}).applied.size();
  };
  EXPECT_EQ(applied("x[i] = x[i - 1] * 0.5f + y[i];"), 0u);
  EXPECT_EQ(applied("x[i] = x[i + 1] * 0.5f + y[i];"), 1u);
  EXPECT_EQ(applied("x[i] = x[(int)y[i]] * 0.5f;"), 1u) << "nobody knows";
}

TEST(ParallelLoop, SharesIterationsAndReductions) {
  Snippet snippet{R"(double kernel(const float* x, float* y, unsigned long n, int rows) {
  double sum = 1; float top = x[0];
  for (unsigned long i = 1; i < n; i += 2) { sum += x[i]; if (x[i] > top) top = x[i]; }
  for (int r = rows - 1; r <= rows + 4; r++)
    for (unsigned long i = 0; i < n; ++i) y[(r - rows + 1) * n + i] = r * x[i];
  return sum + top;
})",
                  "auto x = numbers<float>(n + 1), y = numbers<float>(6 * n); y.push_back(kernel(x.data(), y.data(), "
                  "n, 3)); keep(y);"};
  snippet.threads = 3;
  Workbench bench(snippet);
  EXPECT_EQ(bench.difference(bench.apply({{"parallel", 1, {}}, {"parallel", 0, {}}}), 1e-6), "");
  EXPECT_EQ(bench.difference(bench.apply({{"parallel", 0, {2}}}), 1e-6), "");
  snippet.threads = 1;
  EXPECT_TRUE(Workbench(snippet).workshop().render({{"parallel", 0, {}}}).applied.empty());
}

}  // namespace
}  // namespace hone::frontend
