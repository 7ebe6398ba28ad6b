// Structs and references taken apart, and what vectors make of it: choices within branches, and flags for each lane.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/transforms/workbench.h"

namespace hone::frontend {
namespace {

using testing::HasSubstr;
using testing::Not;

const Gene apart{"scalar_replacement", 0, {}};

constexpr const char* points = R"(#include <cmath>
#include <vector>
struct Point { double x, y; };
struct Pixel { unsigned char r, g, b; };
struct Line { Point from, to; };
struct Odd { double v = 3; int count; };
inline double norm(const Point& p) { return p.x * p.x + p.y * p.y; }
)";

constexpr const char* drive = R"(auto v = numbers<double>(4 * n + 8);
auto p = reinterpret_cast<Point*>(v.data()); auto lines = reinterpret_cast<Line*>(v.data());
std::vector<int> at; for (int i = 0; i < n; ++i) at.push_back(i * 7 % n);
kernel(p, lines, at.data(), n); keep(v); keep(at);)";

Snippet on_points(const std::string& body) {
  return {"void kernel(Point* p, Line* lines, int* at, int n) {\n" + body + "\n}", drive, points, 1, true};
}

std::string taken_apart(const std::string& body) {
  Workbench bench(on_points(body));
  const std::string changed = bench.apply({apart});
  EXPECT_EQ(bench.difference(changed), "") << changed;
  return changed;
}

TEST(ScalarReplacement, CopiesBecomeScalars) {
  const std::string changed = taken_apart(R"(for (int i = 0; i < n; ++i) {
    const Point q = p[at[i]];
    Point sum = {0, q.y};
    Point other;
    Point mean{.y = 2};
    Odd odd = {1.5, i};
    other = sum;
    sum.x += q.x - other.y;
    mean = p[i];
    mean.y /= 2 + odd.v + odd.count;
    p[i] = sum;
    p[i].y += mean.y + mean.x;
  })");
  EXPECT_THAT(changed, HasSubstr("const double q_x = p[at[i]].x;"));
  EXPECT_THAT(changed, HasSubstr("double mean_x = 0;"));
  EXPECT_THAT(changed, HasSubstr("mean_x = p[i].x;"));
  EXPECT_THAT(changed, HasSubstr("p[i].y = sum_y;"));
}

TEST(ScalarReplacement, ReferencesAreReplacedByWhatTheyAreBoundTo) {
  const std::string changed = taken_apart(R"(for (int i = 0; i < n - 1; ++i) {
    const Point& a = p[i];
    Point& b = p[i + 1];
    double& x = b.x;
    const Line& line = lines[i];
    const Point& end = line.to;
    x += 0.25 * a.x + norm(a);
    b.y -= end.y + line.from.x;
  })");
  EXPECT_THAT(changed, HasSubstr("p[i + 1].x += 0.25 * p[i].x + norm(p[i]);"));
  EXPECT_THAT(changed, HasSubstr("lines[i].to.y + lines[i].from.x"));
  EXPECT_THAT(changed, Not(HasSubstr("&")));
}

TEST(ScalarReplacement, StructsThatAreHandedOnStay) {
  for (const char* body : {"for (int i = 0; i < n; ++i) { Point q = p[i]; p[i].x = norm(q) + q.x; }",
                           "for (int i = 0; i < n; ++i) { Point q = p[i]; Point* r = &q; r->x += 1; p[i] = q; }",
                           "for (int i = 0; i < n; ++i) { Odd odd{}; odd.count = i; p[i].x += odd.v + odd.count; }",
                           "for (int i = 0; i < n; ++i) { const Line line = lines[0]; p[i].x += line.to.x; }"})
    EXPECT_TRUE(Workbench(on_points(body)).workshop().render({apart}).applied.empty()) << body;
}

TEST(ScalarReplacement, CopiesWhosePlaceHangsOnTheStructStay) {
  for (const char* body :
       {"Node q = list[0]; for (int i = 0; i < n; ++i) { p[i].x += q.value; q = list[q.next]; }",
        "for (int i = 0; i < n; ++i) { Node q = {i, 1.0}; list[list[i].next] = q; p[i].x += q.value; }"}) {
    Snippet snippet = on_points(body);
    snippet.prologue +=
        "struct Node { int next; double value; };\n"
        "inline Node list[64] = {{3, 1}, {7, 2}, {9, 3}, {1, 4}, {2, 5}, {6, 6}, {8, 7}, {5, 8}, {0, 9}, {4, 1}};\n";
    EXPECT_TRUE(Workbench(snippet).workshop().render({apart}).applied.empty()) << body;
  }
}

TEST(ScalarReplacement, PointersOfConstantStructsPointToWhatIsWritten) {
  Workbench bench(
      {"void kernel(double* x, int n) {\n  const Row row = {x, n};\n"
       "  for (int i = 0; i < row.length; ++i) row.at[i] += 1;\n}",
       "auto x = numbers<double>(n); kernel(x.data(), n); keep(x);", "struct Row { double* at; int length; };"});
  const std::string changed = bench.apply({apart});
  EXPECT_EQ(bench.difference(changed), "") << changed;
  EXPECT_THAT(changed, HasSubstr("double *const row_at = x;"));
}

TEST(ScalarReplacement, ReferencesWhoseIndexOrPointerChangesStay) {
  for (const char* body : {"for (int i = 0; i < n - 1;) { Point& a = p[i]; ++i; a.x += p[i].x; }",
                           "for (int i = 0; i < n; ++i) { Point& a = p[at[i]]; at[i] = 0; a.x += 1; }",
                           "for (int i = 0; i < n; ++i) { const double& x = p[i].x + 1; p[i].x += x; }",
                           "for (int i = 0; i < n; ++i) { Point& a = *p++; a.x += 1; }",
                           "for (int i = 0; i < n; ++i) { Point& a = p[i]; for (int i = 0; i < 2; ++i) a.x += i; }"})
    EXPECT_TRUE(Workbench(on_points(body)).workshop().render({apart}).applied.empty()) << body;
}

TEST(ScalarReplacement, ReferencesWhoseIndexIsWrittenThroughAnotherNameStay) {
  for (const char* body : {"for (int i = 0; i < n; ++i) { int& k = at[i]; Point& a = p[k]; at[i] = 0; a.x += 1; }",
                           "for (int i = 0; i < n; ++i) { Point& a = p[at[i]]; int& k = at[i]; k = 0; a.x += 1; }"})
    EXPECT_THAT(taken_apart(body), HasSubstr("Point &a = p[at[i]];"));
}

TEST(BranchToSelect, JoinsBranchesWithinBranches) {
  Workbench bench({R"(void kernel(const double* x, double* y, int* z, bool* odd, int n) {
  for (int i = 0; i < n; ++i) {
    bool in = z[i] > 2;
    if (x[i] > 0) {
      const double half = x[i] / 2;
      if (half < 1) y[i] = half;
    }
    if (z[i]) { if (x[i] < 3) { const int more = z[i] * 2; z[i] += more; } }
    if (x[i] > 1) { if (z[i] > 1) in = !in; }
    if (z[i] != 0) { const int whole = 12 / z[i]; if (whole > 2) z[i] = whole; }
    if (z[i] != 0) { if (12 / z[i] > 2) z[i] = 3; }
    if (z[i] > 3) { const int z = i; if (z > 1) y[i] = z; }
    odd[i] = in;
  }
})",
                   "auto x = numbers<double>(n), y = x; auto z = numbers<int>(n); std::vector<char> odd(n);"
                   "kernel(x.data(), y.data(), z.data(), reinterpret_cast<bool*>(odd.data()), n);"
                   "keep(y); keep(z); keep(std::vector<int>(odd.begin(), odd.end()));",
                   "#include <vector>"});
  const std::string changed = bench.apply(Genome(3, Gene{"select", 0, {}}));
  EXPECT_EQ(bench.difference(changed), "") << changed;
  EXPECT_THAT(changed, HasSubstr("y[i] = ((x[i] > 0) & (half < 1)) ? (half) : y[i];"));
  EXPECT_THAT(changed, HasSubstr("z[i] += (((z[i]) != 0) & (x[i] < 3)) ? (more) : 0;"));
  EXPECT_THAT(changed, HasSubstr("in ^= ((x[i] > 1) & (z[i] > 1)) ? true : false;"));
  EXPECT_THAT(changed, HasSubstr("if (z[i] != 0)")) << "a division by zero would trap";
}

constexpr const char* inside_of_ring = R"(void kernel(const Point* p, Line* lines, int* at, int n) {
  for (int k = 0; k < n; ++k) {
    const Point q = p[k];
    bool in = false;
    for (int i = 0; i < n; ++i) {
      const Point& a = p[i];
      const Point& b = p[i == 0 ? n - 1 : i - 1];
      if ((a.y > q.y) != (b.y > q.y)) {
        const double crossing = (b.x - a.x) * (q.y - a.y) / (b.y - a.y) + a.x;
        if (q.x < crossing) in = !in;
      }
    }
    at[k] = in;
  }
})";

TEST(VectoriseOuter, FlagsAreAsWideAsTheNumbersBesideThem) {
  Workbench bench({inside_of_ring, drive, points, 1, true});
  const std::string changed = bench.apply({apart, {"select", 0, {}}, {"vectorise_outer", 0, {8}}});
  EXPECT_EQ(bench.difference(changed), "") << changed;
  EXPECT_THAT(changed, HasSubstr("long long in_lanes[8];"));
}

TEST(VectoriseOuter, FlagsThatHoldMoreThanTruthsStayAsTheyAre) {
  Workbench bench({R"(void kernel(const int* x, int* y, int n) {
  for (int k = 0; k < n; ++k) {
    bool any = x[k];
    for (int i = 0; i < n; ++i) any = x[i] & 4;
    y[k] = any;
  }
})",
                   "auto x = numbers<int>(n), y = x; kernel(x.data(), y.data(), n); keep(y);"});
  const std::string changed = bench.apply({{"vectorise_outer", 0, {8}}});
  EXPECT_EQ(bench.difference(changed), "") << changed;
  EXPECT_THAT(changed, HasSubstr("bool any_lanes[8];"));
}

bool proposes(const Snippet& snippet, const std::vector<std::string>& genes) {
  Workbench bench(snippet);
  const Catalog catalog = bench.workshop().survey();
  return std::ranges::any_of(catalog.recipes, [&](const Genome& recipe) {
    return std::ranges::all_of(genes, [&](const std::string& wanted) {
      return std::ranges::any_of(recipe, [&](const Gene& gene) { return gene.transform == wanted; });
    });
  });
}

TEST(Recipes, VectorsOfItemsHaveNoStructsAndNoBranches) {
  EXPECT_TRUE(proposes({inside_of_ring, drive, points, 1, true}, {"scalar_replacement", "select", "vectorise_outer"}));
}

TEST(Recipes, RowsThatEachIterationGoesOnFromAreNoLanes) {
  const auto alignment = [](const std::string& in_place) {
    return Snippet{
        "void kernel(const int* a, const int* b, int* row, int n) {\n"
        "  for (int i = 0; i < n; ++i) {\n    int diagonal = 0;\n    for (int j = 1; j < n; ++j) {\n"
        "      const int here = " +
            in_place + ";\n      row[j] = here;\n    }\n  }\n}",
        "auto a = numbers<int>(n), b = a, row = a; kernel(a.data(), b.data(), row.data(), n); keep(row);"};
  };
  EXPECT_FALSE(proposes(alignment("row[j] + row[j - 1] + (a[i] == b[j])"), {"vectorise_outer"}));
  EXPECT_TRUE(proposes(alignment("(a[i] == b[j]) * a[i]"), {"vectorise_outer"}));
}

}  // namespace
}  // namespace hone::frontend
