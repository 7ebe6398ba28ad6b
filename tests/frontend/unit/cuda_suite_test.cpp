// The suite of naive CUDA kernels: each is found whole, and a careful engineer's version of it passes the gate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/frontend/cuda_kernels.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::frontend {
namespace {

const std::filesystem::path kFolder = HONE_CUDA_KERNELS;

std::vector<std::string> kernels() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder / "good"))
    if (entry.path().extension() == ".cu") names.push_back(entry.path().stem());
  std::ranges::sort(names);
  return names;
}

class CudaSuite : public testing::TestWithParam<std::string> {
 protected:
  void SetUp() override { HONE_NEEDS_CUDA(); }
};

TEST_P(CudaSuite, KernelIsFoundAndGoodVersionPassesGate) {
  const std::string name = GetParam() + ".cu";
  const Snippet snippet = cuda_snippet(os::read_file(kFolder / name).value());
  const KernelSpec spec = snippet.kernel();
  EXPECT_TRUE(spec.cuda);
  EXPECT_EQ(spec.name, GetParam());
  auto gate = Gate::open(spec, snippet.command(), {});
  ASSERT_TRUE(gate) << gate.error().message();
  EXPECT_EQ(gate->check(spec.unit.definition), "");
  EXPECT_EQ(gate->check(os::read_file(kFolder / "good" / name).value()), "");
}

INSTANTIATE_TEST_SUITE_P(Kernels, CudaSuite, testing::ValuesIn(kernels()), [](const auto& info) { return info.param; });

}  // namespace
}  // namespace hone::frontend
