// From captures to problems, to how data is drawn, and to what the judge is given.
#include "tool/capture/clauses_of_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <vector>

#include "tool/capture/captured_inputs.h"
#include "tool/capture/captures.h"
#include "tool/os/files/files.h"

namespace hone::capture {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

template <class T>
CapturedValue value(std::string name, std::vector<T> elements) {
  const ScalarKind kind = std::is_floating_point_v<T> ? ScalarKind::floating : ScalarKind::signed_integer;
  return {std::move(name), kind, sizeof(T), elements.size(),
          std::string(reinterpret_cast<const char*>(elements.data()), sizeof(T) * elements.size())};
}

// A product with a sparse matrix, twice: of a real one with n rows and nnz elements.
std::vector<CapturedCall> spmv(int n, int nnz, std::uint64_t calls, std::uint64_t nanoseconds) {
  const std::vector<CapturedValue> sizes{value<int>("n", {n}), value<int>("nnz", {nnz})};
  std::vector<int> rows, cols;
  for (int i = 0; i <= n; ++i) rows.push_back(i * nnz / n);
  for (int i = 0; i < nnz; ++i) cols.push_back(i * 7 % n);
  std::vector<float> values(static_cast<std::size_t>(nnz), -3.5f);
  values.front() = 2.5f;
  return {{"spmv",
           sizes,
           {value("rows", rows), value("cols", cols), value("v", values), value<float>("alpha", {0.5f})},
           0,
           0},
          {"spmv", sizes, {}, calls, nanoseconds}};
}

class ClausesOfCaptureTest : public ::testing::Test {
 protected:
  void add(const std::vector<CapturedCall>& calls) { ASSERT_TRUE(add_captures(folder(), calls)); }
  std::filesystem::path folder() const { return folder_.path(); }

 private:
  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-captures").value();
};

TEST_F(ClausesOfCaptureTest, WeighProblemsByTheirTime) {
  add(spmv(100, 300, 1000, 1'000'000));
  add(spmv(1000, 5000, 10, 3'000'000));
  const CapturedClauses clauses = clauses_of_capture(folder(), "spmv");
  ASSERT_THAT(clauses.problems, SizeIs(2));
  EXPECT_THAT(clauses.problems[0].values, ElementsAre(Pair("n", "1000"), Pair("nnz", "5000")));
  EXPECT_DOUBLE_EQ(clauses.problems[0].weight, 75);
  EXPECT_DOUBLE_EQ(clauses.problems[1].weight, 25);
}

TEST_F(ClausesOfCaptureTest, WeighProblemsByTheirCallsWhereNoTimeIsKnown) {
  add(spmv(100, 300, 30, 0));
  add(spmv(1000, 5000, 10, 0));
  const CapturedClauses clauses = clauses_of_capture(folder(), "spmv");
  ASSERT_THAT(clauses.problems, SizeIs(2));
  EXPECT_DOUBLE_EQ(clauses.problems[0].weight, 75);
  EXPECT_THAT(clauses.problems[0].values, ElementsAre(Pair("n", "100"), Pair("nnz", "300")));
}

TEST_F(ClausesOfCaptureTest, LeaveOutWhatIsRare) {
  add(spmv(1000, 5000, 10, 99'000'000));
  add(spmv(100, 300, 1000, 1'000'000));
  EXPECT_THAT(clauses_of_capture(folder(), "spmv").problems, SizeIs(1));
}

std::string index_of(const std::string& name, const std::string& low, const std::string& high) {
  return name + " index " + low + " " + high;
}

std::vector<std::string> inits_of(const CapturedClauses& clauses) {
  const auto word = [](Distribution distribution) {
    return distribution == Distribution::index    ? " index "
           : distribution == Distribution::sorted ? " sorted "
                                                  : " uniform ";
  };
  std::vector<std::string> inits;
  for (const CapturedClauses::Init& init : clauses.inits)
    inits.push_back(init.name + word(init.distribution) + init.arguments[0] + " " + init.arguments[1]);
  return inits;
}

TEST_F(ClausesOfCaptureTest, TellSubscriptsAndAscendingArrays) {
  add(spmv(100, 300, 1, 10));
  add(spmv(1000, 5000, 1, 10));
  EXPECT_THAT(inits_of(clauses_of_capture(folder(), "spmv")),
              ElementsAre("alpha uniform 0.25 1.0",  // it was 0.5, always
                          index_of("cols", "0", "((long long)(n) < 1000 ? (long long)(n) : 1000)"),
                          "rows sorted 0 ((long long)(nnz) < 5001 ? (long long)(nnz) : 5001)", "v uniform -3.5 2.5"));
}

TEST_F(ClausesOfCaptureTest, KeepIntegersToWhatWasSeen) {
  add({{"f",
        {value<int>("n", {400})},
        {value<int>("few", {9, 0, 3, 9}), value<int>("same", {7, 7}), value<int>("one_based", {5, 900, 1}),
         value<std::int8_t>("bytes", {3, 90, 5}), value<int>("nothing", {0, 0}), value<int>("signs", {4, -1})},
        0,
        0},
       {"f", {value<int>("n", {400})}, {}, 1, 10}});
  const auto below_n = [](const std::string& end) {
    return "((long long)(n) < " + end + " ? (long long)(n) : " + end + ")";
  };
  EXPECT_THAT(inits_of(clauses_of_capture(folder(), "f")),
              ElementsAre("bytes index 3 91", index_of("few", "0", below_n("10")),
                          index_of("nothing", "0", below_n("2")), index_of("one_based", "1", "901"),
                          index_of("same", "0", below_n("8")), "signs uniform -1 " + below_n("5") + " - 1"));
}

// Behind a subscript that no size bounds, a table may have one element.
TEST_F(ClausesOfCaptureTest, KeepEqualIntegersThatNoSizeBoundsBetweenZeroAndTheirValue) {
  const std::vector<CapturedValue> equal{value<int>("parents", {-1, -1}), value<int>("zeros", {0, 0})};
  add({{"f", {}, equal, 0, 0}, {"f", {}, {}, 1, 10}});
  EXPECT_THAT(inits_of(clauses_of_capture(folder(), "f")),
              ElementsAre("parents uniform -1 0", index_of("zeros", "0", "1")));
}

TEST_F(ClausesOfCaptureTest, LeaveOffsetsToTheirExtent) {
  const std::vector<CapturedValue> sizes{value<int>("n", {4}), value<int>("rows[n]", {8})};
  add({{"f", sizes, {value<int>("rows", {0, 2, 4, 6, 8})}, 0, 0}, {"f", sizes, {}, 1, 10}});
  EXPECT_THAT(clauses_of_capture(folder(), "f").inits, IsEmpty());
}

Parameter parameter(const std::string& name, bool pointer, ScalarKind kind, Role role = Role::in) {
  Parameter one{.name = name, .pointer = pointer, .role = role};
  one.element = {"", 4, 4, {{"", {kind, 4}, 0, 1}}};
  return one;
}

KernelData spmv_data() {
  KernelData data;
  data.parameters = {
      parameter("rows", true, ScalarKind::signed_integer), parameter("cols", true, ScalarKind::signed_integer),
      parameter("v", true, ScalarKind::floating),          parameter("y", true, ScalarKind::floating, Role::out),
      parameter("n", false, ScalarKind::signed_integer),   parameter("nnz", false, ScalarKind::signed_integer),
      parameter("alpha", false, ScalarKind::floating)};
  return data;
}

TEST_F(ClausesOfCaptureTest, GiveWholeCallsToTheJudge) {
  add(spmv(4, 8, 1, 10));
  const std::vector<bundle::Given> given = captured_inputs(folder(), "spmv", spmv_data());
  ASSERT_THAT(given, SizeIs(1));
  EXPECT_TRUE(given[0].captured);
  int rows[5];
  ASSERT_EQ(given[0].arrays[0].size(), sizeof rows);
  std::memcpy(rows, given[0].arrays[0].data(), sizeof rows);
  EXPECT_THAT(rows, ElementsAre(0, 2, 4, 6, 8));
  EXPECT_THAT(given[0].arrays[3], IsEmpty());
  float alpha = 0;
  std::memcpy(&alpha, given[0].scalars[6].data(), sizeof alpha);
  EXPECT_EQ(alpha, 0.5f);
}

TEST_F(ClausesOfCaptureTest, GiveNothingToAnotherKernel) {
  add(spmv(4, 8, 1, 10));
  KernelData data = spmv_data();
  data.parameters[2].element.fields[0].type.kind = ScalarKind::signed_integer;
  EXPECT_THAT(captured_inputs(folder(), "spmv", data), IsEmpty());
  data = spmv_data();
  data.parameters.push_back(parameter("beta", false, ScalarKind::floating));
  EXPECT_THAT(captured_inputs(folder(), "spmv", data), IsEmpty());
}

}  // namespace
}  // namespace hone::capture
