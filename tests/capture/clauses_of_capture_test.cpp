// From captures to problems, to how data is drawn, and to what the judge is given.
#include "tool/capture/clauses_of_capture.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST_F(ClausesOfCaptureTest, TellSubscriptsAndAscendingArrays) {
  add(spmv(100, 300, 1, 10));
  add(spmv(1000, 5000, 1, 10));
  const CapturedClauses clauses = clauses_of_capture(folder(), "spmv");
  std::vector<std::string> inits;
  for (const CapturedClauses::Init& init : clauses.inits)
    inits.push_back(init.name + " " + std::to_string(static_cast<int>(init.distribution)) + " " + init.arguments[0] +
                    " " + init.arguments[1]);
  const auto said = [](const std::string& name, Distribution distribution, const std::string& range) {
    return name + " " + std::to_string(static_cast<int>(distribution)) + " " + range;
  };
  EXPECT_THAT(inits, ElementsAre(said("alpha", Distribution::uniform, "0.25 1.0"),  // it was 0.5, always
                                 said("cols", Distribution::index, "0 n"), said("rows", Distribution::sorted, "0 nnz"),
                                 said("v", Distribution::uniform, "-3.5 2.5")));
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
