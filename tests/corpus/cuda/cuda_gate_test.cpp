// What the gate says to candidates of the CUDA corpus. Needs nvcc, and no device.
//
// Each kernel's original is annotated here as a user would, with its own kernels under other names: the corpus'
// candidates bring what the original brings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>

#include <fmt/format.h>

#include "tests/corpus/candidate_file.h"
#include "tests/corpus/cuda/kernels.h"
#include "tests/frontend/cuda_kernels.h"
#include "tool/frontend/gate/policy_gate.h"

namespace hone::corpus {
namespace {

namespace fs = std::filesystem;

// Extents and sizes matter to nobody here: nothing is run.
std::string annotation(const KernelSpec& spec) {
  std::string clauses, sizes;
  for (const Parameter& parameter : spec.parameters) {
    const char* role = parameter.role == Role::in ? "in" : parameter.role == Role::out ? "out" : "inout";
    if (parameter.stream)
      clauses += fmt::format(" stream({})", parameter.name);
    else if (parameter.pointer)
      clauses += fmt::format(" {}({}[0:1])", role, parameter.name);
    else
      sizes += fmt::format("{}{}=64", sizes.empty() ? "" : ", ", parameter.name);
  }
  return fmt::format("#pragma hone kernel{} problem({})\n", clauses, sizes);
}

std::string annotated_source(const CudaKernel& kernel) {
  static const std::regex own_kernel(R"(__global__ void (\w+)\()");
  std::string text = kernel.original;
  if (std::smatch found; std::regex_search(kernel.original, found, own_kernel))
    text = std::regex_replace(text, std::regex("\\b" + found.str(1) + "\\b"), "original_" + found.str(1));
  const std::size_t function = text.find("\nvoid " + kernel.spec.name + "(");
  return "namespace {\n" + text.substr(0, function + 1) + annotation(kernel.spec) + text.substr(function + 1) + "}\n";
}

frontend::Gate& gate_of(const std::string& kernel) {
  static std::map<std::string, std::pair<std::unique_ptr<frontend::Snippet>, frontend::Gate>> gates;
  auto found = gates.find(kernel);
  if (found == gates.end()) {
    auto snippet = std::make_unique<frontend::Snippet>(frontend::cuda_snippet(annotated_source(cuda_kernel(kernel))));
    auto gate = frontend::Gate::open(snippet->kernel(), snippet->command(), {}).value();
    found = gates.emplace(kernel, std::pair(std::move(snippet), std::move(gate))).first;
  }
  return found->second.second;
}

class CudaCorpusGate : public testing::TestWithParam<CandidateFile> {
 protected:
  void SetUp() override {
    if (!frontend::has_cuda()) GTEST_SKIP() << "there is no " << frontend::kNvcc;
  }
};

// What says `gate` is refused for that reason, whatever the wall makes of it; what is right passes.
TEST_P(CudaCorpusGate, SaysWhatIsExpected) {
  const std::string reason = gate_of(GetParam().kernel).check(GetParam().text);
  const Ending& expected = GetParam().verdict.front();
  if (expected.stage == "gate")
    EXPECT_THAT(reason, testing::HasSubstr(expected.part)) << "it tries " << GetParam().tries;
  else
    EXPECT_EQ(reason, "") << "it tries " << GetParam().tries;
}

std::string name_of(const testing::TestParamInfo<CandidateFile>& info) {
  return info.param.name;
}

std::vector<CandidateFile> candidates() {
  const fs::path folder = HONE_CUDA_CORPUS_FOLDER;
  std::vector<CandidateFile> files = read_candidates(folder / "good");
  for (CandidateFile& file : read_candidates(folder / "hostile"))
    if (!file.wall.empty()) files.push_back(std::move(file));
  return files;
}

INSTANTIATE_TEST_SUITE_P(Corpus, CudaCorpusGate, testing::ValuesIn(candidates()), name_of);

}  // namespace
}  // namespace hone::corpus
