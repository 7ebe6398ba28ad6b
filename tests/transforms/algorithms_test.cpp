// Algorithms of the standard library are written out as loops that compute the same, where that is known.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

const Gene write_out{"inline_calls", 0, {}};

// Each line is a call; `r` is where results go.
Snippet calls(const std::string& lines) {
  return {"void kernel(const float* x, const std::vector<int>& v, float* y, float* r, int n) {\n" + lines + "}",
          "auto x = numbers<float>(n), y = numbers<float>(n); auto v = numbers<int>(n); std::vector<float> r(40);"
          "kernel(x.data(), v, y.data(), r.data(), n); keep(y); keep(r);",
          "#include <algorithm>\n#include <cmath>\n#include <functional>\n#include <numeric>\n#include "
          "<span>\n#include <vector>\n"
          "struct Point { float a, b; };\n"};
}

void expect_loops(const std::string& lines) {
  Workbench bench(calls(lines));
  const auto count = static_cast<std::size_t>(std::count(lines.begin(), lines.end(), '\n'));
  const std::string text = bench.apply(Genome(count, write_out));
  for (const char* name :
       {"accumulate(", "reduce(", "_product(", "transform(", "for_each(", "fill(", "count", "_of(", "_element("})
    EXPECT_THAT(text, Not(HasSubstr(std::string("std::") + name)));
  EXPECT_EQ(bench.difference(text), "") << text;
}

TEST(Algorithms, ThatReduceAreLoops) {
  expect_loops(R"(r[0] = std::accumulate(x, x + (n & ~3), 0.0f);
r[1] = 2 * std::accumulate(v.begin(), v.end(), 0L) + n;
r[2] = std::accumulate(x + n / 4, x + n / 2, 1.5, [](double s, float e) { return s + e * e; });
{ double s = std::accumulate(v.cbegin(), v.cend(), 1.0, std::multiplies<>()); r[3] = s > 3; }
{ int i = 3; r[4] = std::accumulate(x, x + n, 0.0f, [&](float s, float e) -> float { return s + e * i + 0.1; }); }
r[5] = std::accumulate(x, x + n, 0.0f, [](auto a, auto b) { return a + b; });
r[6] = std::reduce(v.begin(), v.end(), 0);
for (int k = 0; k + 4 < n; ++k) y[k] += std::inner_product(x + k, x + k + 4, x, 0.0f);
r[7] = std::inner_product(v.begin(), v.end(), v.begin(), 0, std::plus<int>(), std::minus<>());
r[8] = std::transform_reduce(x, x + n, 0.0f, std::plus<>(), [](float e) { return e * e; });
r[9] = std::transform_reduce(x, x + n, v.begin(), 1.0);
)");
}

TEST(Algorithms, ThatWriteAreLoops) {
  expect_loops(R"(std::transform(x, x + n, y, [](float e) { return e * 2 + 1; });
std::transform(x, x + n, v.begin(), y, [n](float a, const int& b) { return a * b + n; });
std::transform(x, x + n, y, y, std::plus<float>());
if (n > 2) std::transform(y + 1, y + n, y, y + 1, std::minus<>());
std::transform(x, x + n, y, fabsf);
std::for_each(y, y + n, [n](float& e) { if (e < 0) { const float d = e * n; e = d; } else e += 1; });
{ float s = 0; std::for_each(x, x + n, [&s](float e) { e *= 2; s += e; }); r[0] = s; }
if (n > 3) std::fill(y + n / 2, y + n, 7.5f);
)");
}

TEST(Algorithms, ThatSearchAreLoops) {
  expect_loops(R"(r[0] = std::count(v.begin(), v.end(), n & 3);
r[1] = std::count_if(x, x + n, [](float e) { return e > 0; });
r[2] = std::any_of(x, x + n, [](float e) { return e > 1e9f; });
r[3] = std::all_of(x, x + n, [](float e) { return std::fabs(e) < 1e9f; });
r[4] = std::none_of(x, x + n, [](float e) { return e > 0; });
if (n > 0) r[5] = *std::max_element(x, x + n);
r[6] = std::max_element(v.begin(), v.end()) - v.begin();
if (n > 0) r[7] = *std::min_element(x + n / 3, x + n, [](float a, float b) { return a * a < b * b; });
)");
}

TEST(Algorithms, OverRangesAreLoops) {
  Snippet ranges = calls(R"(std::vector<float> w(v.size());
std::ranges::transform(v, w.begin(), [n](int e) { return e * 0.5f + n; });
std::ranges::transform(v, y, [](int e) { return e * 2.0f; });
std::ranges::for_each(w, [](float& e) { e += 1; });
if (n > 0) r[0] = std::ranges::max(v) + std::ranges::min(w);
r[1] = std::ranges::count_if(w, [](float e) { return e > 4; });
if (n > 0) r[2] = *std::ranges::max_element(v.begin(), v.end());
if (std::ranges::any_of(v, [](int e) { return e == 5; })) r[3] = 1;
r[4] = std::accumulate(w.begin(), w.end(), 0.0f);
)");
  ranges.language = "-std=c++20";
  Workbench bench(ranges);
  const std::string text = bench.apply(Genome(9, write_out));
  for (const char* gone : {"for_each(", "transform(", "::max(", "::min(", "count_if(", "any_of("})
    EXPECT_THAT(text, Not(HasSubstr(gone)));
  EXPECT_EQ(bench.difference(text), "") << text;
}

TEST(LoopsOverRanges, AreWrittenByIndex) {
  Snippet loops = calls(R"(for (int e : v) r[0] += e;
for (const auto& e : v) {
  if (e < 0) continue;
  if (e > 900) break;
  for (auto f : v) r[1] += e * f;
}
std::vector<float> w(y, y + n);
for (float& e : w) e = 2 * e + 1;
for (auto&& e : w) e += 1;
for (float e : std::vector<float>(n, 1.5f)) r[2] += e;
const std::vector<std::pair<int, float>> pairs(n, {2, 0.5f});
for (const auto& [a, b] : pairs) r[3] += a * b;
std::vector<Point> points(n, {1, 2});
for (auto& [a, b] : std::span<Point>(points).subspan(n / 2)) a += b, b += 1;
for (auto [a, b] : points) r[4] += a + b;
std::copy(w.begin(), w.end(), y);
)");
  loops.language = "-std=c++20";
  Workbench bench(loops);
  const std::string text = bench.apply(Genome(9, write_out));
  EXPECT_THAT(text, Not(HasSubstr(" : ")));
  EXPECT_EQ(bench.difference(text), "") << text;
}

TEST(LoopsOverRanges, StayWhereTheRangeHasNoNameOrNoIndex) {
  for (const char* loop :
       {"std::vector<bool> b(n); for (bool e : b) r[0] += e;",
        "const float few[] = {1, 2}; for (float e : few) r[0] += e;", "for (int v : v) r[0] += v;"}) {
    Workbench bench(calls(std::string(loop) + "\n"));
    EXPECT_TRUE(bench.workshop().render({write_out}).applied.empty()) << loop;
  }
}

TEST(Lambdas, ThatAreValuesStandWhereTheyAreCalled) {
  Workbench bench(calls(R"(const auto at = [&](int i, int j) { return x[i * 2 + j]; };
auto square = [](float e) { return e * e; };
const auto put = [&y](int i) -> float& { return y[i]; };
const int k = 3;
auto times = [=](auto e) { return e * k; };
for (int i = 0; i + 1 < n / 2; ++i) {
  r[0] += at(i, 1) * at(i + 1, 0);
  r[1] += square(x[i] + 1);
  put(i) += times(square(y[i + 1])) + times(i);
}
)"));
  // One for each of the two types that `times` is called with.
  const std::string text = bench.apply(Genome(5, write_out));
  EXPECT_THAT(text, HasSubstr("(x[i * 2 + 1]) * (x[(i + 1) * 2 + 0])"));
  for (const char* call : {"square(", "put(", "times("}) EXPECT_THAT(text, Not(HasSubstr(call)));
  EXPECT_EQ(bench.difference(text), "") << text;
}

TEST(Lambdas, StayWhereTheirBodyMightMeanSomethingElse) {
  for (const char* call : {
           "int k = 1; auto f = [k](float e) { return e * k; }; k = n; r[0] = f(2.0f) + k;",
           "int k = 2; auto f = [&](float e) { return e * k; }; { int k = n; r[0] = f(2.0f) + k; }",
           "auto f = [](int e) { return e / 2; }; r[0] = f(r[1]);",
           "auto f = [](int e) { return e * e; }; r[0] = f(n++);",
           "auto f = [k = 0](int e) mutable { return e + k++; }; r[0] = f(n);",
           "auto f = [](int e) { e += 1; return e; }; r[0] = f(n);",
       }) {
    Workbench bench(calls(std::string(call) + "\n"));
    EXPECT_TRUE(bench.workshop().render({write_out}).applied.empty()) << call;
  }
}

TEST(Algorithms, StayCallsWhereALoopMightDiffer) {
  for (const char* call : {
           "r[0] = std::accumulate(y, r + n, 0.0f);",
           "r[0] = std::accumulate(x++, x + n, 0.0f);",
           "std::for_each(y, y + n, [&](float e) { if (e > 0) --n; });",
           "std::for_each(y, y + n, [](float& e) { if (e < 0) return; e = 1; });",
           "std::for_each(y, y + n, [n](float& e) { float y = e; e = y * n; });",
           "std::for_each(v.begin(), v.end(), [r](int v) { r[0] += v; });",
           "std::transform(x, x + n, y, [k = 1](float e) mutable { return e + k++; });",
           "r[0] = std::count_if(x, x + n, [](int e) { return e > 0; });",
           "std::transform(x, x + n, y, [](float e) { e += 1; return e; });",
           "std::transform(x, x + n, y, [v](float e) { return e + v[0]; });",
           "r[0] = n > 3 ? std::accumulate(x, x + n, 0.0f) : 1;",
           "std::fill(y, y + n, y[3]);",
           "r[0] = std::accumulate(v.rbegin(), v.rend(), 0);",
           "std::vector<bool> b(n); r[0] = std::count(b.begin(), b.end(), true);",
           "std::vector<int> w(v); std::for_each(w.begin(), w.end(), [&](int e) { if (e < 0) w.push_back(e); });",
       }) {
    Workbench bench(calls(std::string(call) + "\n"));
    EXPECT_TRUE(bench.workshop().render({write_out}).applied.empty()) << call;
  }
  Workbench bench(calls("r[0] = std::accumulate(y, y + n, 0.0f);\n"));
  EXPECT_FALSE(bench.workshop().render({write_out}).applied.empty());
}

}  // namespace
}  // namespace hone::frontend
