// What clauses may name beside parameters: members, elements' members, extents that stand in the data.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/find/kernel_finder.h"

namespace hone::frontend {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

TEST(ClausePaths, TakesMembersAsBoundsAndAsProblemValues) {
  const Snippet snippet(R"(
struct Step { int bodies, pairs; float* speeds; };
#pragma hone kernel inout(s->speeds[0:s->bodies]) in(at[0:s->pairs]) init(at: index(s->bodies)) \
    problem(s->bodies = 90, s->pairs = 2 * s->bodies)
void push(const Step* s, const int* at) {
  for (int i = 0; i < s->pairs; ++i) s->speeds[at[i]] += 1;
}
)");
  EXPECT_THAT(snippet.complaints(), IsEmpty());
  EXPECT_THAT(snippet.find().kernels, SizeIs(1));
}

TEST(ClausePaths, DrawsMembersOfElementsOfEachContainer) {
  const auto complaints = [](const std::string& parameter, const std::string& path, const std::string& clauses) {
    const Snippet snippet(
        "#include <array>\n#include <vector>\nstruct Cell { int from; struct { int x; } at; };\n"
        "struct Bank { std::vector<Cell> cells; std::array<Cell, 4> few; };\n"
        "#pragma hone kernel in(y[0:4]) " +
        clauses + " init(" + path + ".from: index(4), " + path + ".at.x: uniform(1, 3))\nint f(" + parameter +
        ", const int* y) { return y[0]; }\n");
    return snippet.complaints();
  };
  const std::string size = " problem(cells.size()=9)", held = " problem(b.cells.size()=9)";
  EXPECT_THAT(complaints("const std::vector<Cell>& cells", "cells", size), IsEmpty());
  EXPECT_THAT(complaints("std::vector<Cell>& cells", "cells", "inout(cells)" + size), IsEmpty());
  EXPECT_THAT(complaints("const std::array<Cell, 4>& cells", "cells", ""), IsEmpty());
  EXPECT_THAT(complaints("const Bank& b", "b.cells", "in(b.cells)" + held), IsEmpty());
  EXPECT_THAT(complaints("const Bank* b", "b->few", "in(b->few)"), IsEmpty());
  EXPECT_THAT(complaints("const std::vector<Cell>& cells", "cells.at", size),
              ElementsAre(HasSubstr("'cells.at.from' names no member"), HasSubstr("'cells.at.at.x' names no member")));
}

TEST(ClausePaths, TakesExtentsThatStandInDataOfMembers) {
  const auto complaints = [](const std::string& before, const std::string& after, const std::string& clauses) {
    return Snippet(
               "#include <vector>\nstruct Rows { int n; const int* start; std::vector<int> ends; const float* v; };\n" +
               before + "#pragma hone kernel " + clauses + "\n" + after)
        .complaints();
  };
  const std::string by_reference = "float f(const Rows& a) { return a.v[a.start[0]]; }\n";
  EXPECT_THAT(complaints("", by_reference, "in(a.start[0:a.n+1], a.v[0:a.start[a.n]]) problem(a.n=9, a.start[a.n]=90)"),
              IsEmpty());
  EXPECT_THAT(complaints("", "float f(Rows* a) { return a->v[a->ends[0]]; }\n",
                         "in(a->v[0:a->ends[a->n]], a->ends[0:a->n+1]) problem(a->n=9, a->ends[a->n]=90)"),
              IsEmpty());
  EXPECT_THAT(complaints("struct Own : Rows {\n", "float f() const { return v[start[0]]; } };\n",
                         "in(start[0:n+1], v[0:this->start[n]]) problem(n=9, this->start[this->n]=90)"),
              IsEmpty());
  EXPECT_THAT(complaints("", by_reference, "in(a.start[0:9], a.v[0:a.n]) problem(a.n=9, a.v[a.n]=90)"),
              ElementsAre(HasSubstr("'a.v[a.n]' is no element of an array of integers")));
}

}  // namespace
}  // namespace hone::frontend
