// Transforms annotated CUDA launchers: finds the kernel of a file as the tool does, renders genomes with a real
// Workshop, and compiles the results with the real nvcc. Nothing is run: no device is needed.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/frontend/snippet.h"
#include "tool/frontend/gate/policy_gate.h"
#include "tool/transforms/workshop.h"

namespace hone::frontend {

class CudaBench {
 public:
  // Of a .cu file with one annotated launcher.
  explicit CudaBench(const std::string& text, std::vector<std::string> flags = {"-std=c++17", "-arch=sm_90"});

  // Renders; fails the test when not every gene applied.
  std::string apply(const Genome& genome);
  // What the gate says to a candidate; "" where it lets it pass.
  std::string refusal(const std::string& candidate);
  // Whether the gene does something to the launcher as it stands.
  bool applies(const Gene& gene);
  // Both on the host: "" where they write the same. `drive` calls run(…) and keeps what it wrote: keep(vector).
  std::string difference(const std::string& candidate, const std::string& drive) const;
  Workshop& workshop() { return *workshop_; }
  const Catalog& catalog();  // of the workshop, surveyed once: that parses what each recipe begins with
  const KernelSpec& spec() const { return spec_; }

 private:
  std::string text_;
  Snippet snippet_;
  KernelSpec spec_;
  std::unique_ptr<Workshop> workshop_;
  std::optional<Catalog> catalog_;
  std::optional<Gate> gate_;  // opened when it is first asked: that parses CUDA's headers once more
};

// The text of one of the suite's files in tests/benchmarks/cuda.
std::string suite_kernel(const std::string& name);
const std::vector<std::string>& suite_kernels();
// Its bench, made once per process: most of the time goes into parsing CUDA's headers.
CudaBench& suite_bench(const std::string& name);

// Candidates that nvcc compiles together, each in a namespace of its own: "" or what it says. One second for each call
// is what nvcc takes to start, so collect them.
std::string complaint_of_nvcc(const std::vector<std::string>& candidates);
bool has_nvcc();

// Skips, and says so.
#define HONE_NEEDS_NVCC() \
  if (!has_nvcc()) GTEST_SKIP() << "there is no " << kNvcc

class CudaTransforms : public ::testing::Test {
 protected:
  void SetUp() override { HONE_NEEDS_NVCC(); }
};
// Of kernels of the suite; in one process with CudaRecipes.
class CudaSuiteTransforms : public CudaTransforms {};

std::string without_blanks(std::string text);

// However it is laid out.
inline auto Says(const std::string& text) {
  return ::testing::ResultOf(without_blanks, ::testing::HasSubstr(without_blanks(text)));
}

// A launcher on n elements with the given body for its kernel.
std::string elementwise(const std::string& body);
extern const std::string doubled;  // y[i] = 2 * x[i]

}  // namespace hone::frontend
