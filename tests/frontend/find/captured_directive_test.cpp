// What was captured in place of clauses that name members and containers; and a size that none need capture.
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/find/kernel_finder.h"

namespace hone::frontend {
namespace {

TEST(CapturedDirective, DrawsNumbersOfMembersAndContainers) {
  const Snippet snippet(
      "#include <vector>\nstruct M { std::vector<int> cols; float gain; };\nstruct P { float x, y; };\n"
      "#pragma hone kernel in(m.cols, p[0:2])\n"
      "int f(const M& m, const P* p) { return m.cols[0] + (int)(m.gain + p[1].x); }\n");
  Options options;
  options.captured = [](const std::string&) {
    const auto drawn = [](const char* name) { return CapturedClauses::Init{name, Distribution::index, {"0", "3"}}; };
    return CapturedClauses{{{{{"m.cols.size()", "100"}}, 1}}, {drawn("m.cols"), drawn("m"), drawn("p"), drawn("gone")}};
  };
  const auto found = find_kernels(snippet.command(), options);
  ASSERT_TRUE(found) << found.error().message();
  const KernelSpec& spec = found->kernels.at(0).spec;
  EXPECT_EQ(spec.lacks_problem, "");
  for (const Parameter& parameter : spec.parameters)
    EXPECT_EQ(parameter.init.has_value(), parameter.name == "m.cols") << parameter.name;
}

TEST(CapturedDirective, IsNotNeededForTheLengthOfAStandardArray) {
  const Snippet snippet(
      "#include <array>\nstruct B { std::array<int, 8> v; };\n"
      "#pragma hone kernel in(x[0:x.size()], b->v[0:b->v.size()])\n"
      "int f(const std::array<int, 16>& x, const B* b) { return x[1] + b->v[1]; }\n");
  EXPECT_TRUE(snippet.complaints().empty());
  EXPECT_EQ(snippet.kernel().lacks_problem, "");
}

}  // namespace
}  // namespace hone::frontend
