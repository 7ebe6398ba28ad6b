#include "tests/transforms/cuda/cuda_bench.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "tool/frontend/gate/policy_gate.h"
#include "tool/model/candidate.h"
#include "tool/os/process/process_runner.h"

namespace hone::frontend {

CudaBench::CudaBench(const std::string& text)
    : snippet_(text, {"-std=c++17", "-arch=sm_90"}, "main.cu"), spec_(snippet_.kernel()) {
  auto opened = Workshop::open(spec_, snippet_.command(), Options{});
  if (!opened)
    ADD_FAILURE() << opened.error().message();
  else
    workshop_ = std::move(*opened);
}

std::string CudaBench::refusal(const std::string& candidate) {
  if (!gate_) {
    auto gate = Gate::open(spec_, snippet_.command(), Options{});
    if (!gate) return gate.error().message();
    gate_.emplace(std::move(*gate));
  }
  return gate_->check(candidate);
}

std::string CudaBench::apply(const Genome& genome) {
  Rendered rendered = workshop_->render(genome);
  EXPECT_EQ(rendered.applied.size(), genome.size()) << "not every gene applied; what did gave:\n" << rendered.source;
  return rendered.source;
}

const Catalog& CudaBench::catalog() {
  if (!catalog_) catalog_ = workshop_->survey();
  return *catalog_;
}

bool CudaBench::applies(const Gene& gene) {
  return workshop_->render({gene}).applied.size() == 1;
}

std::string suite_kernel(const std::string& name) {
  return os::read_file(std::string(HONE_CUDA_KERNELS) + "/" + name + ".cu").value();
}

const std::vector<std::string>& suite_kernels() {
  static const std::vector<std::string> names{"vector_add",     "saxpy",   "gemm",       "gemv",      "transpose",
                                              "reduction",      "softmax", "layer_norm", "gelu_bias", "convolution_1d",
                                              "convolution_2d", "stencil", "histogram",  "scan",      "batched_matmul"};
  return names;
}

CudaBench& suite_bench(const std::string& name) {
  static std::map<std::string, CudaBench> benches;
  return benches.try_emplace(name, suite_kernel(name)).first->second;
}

std::string complaint_of_nvcc(const std::vector<std::string>& candidates) {
  std::string includes, text;
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    const SplitSource split = split_includes(candidates[i]);
    const std::string number = std::to_string(i);
    includes += split.includes;
    text += "namespace candidate_" + number + " {\n#line 1 \"candidate " + number + "\"\n" + split.definition + "\n}\n";
  }
  const auto folder = os::TemporaryFolder::create("hone-cuda-transforms").value();
  const auto file = folder.path() / "all.cu";
  EXPECT_TRUE(os::write_file_atomically(file, includes + text));
  os::PosixProcessRunner runner;
  os::Process nvcc;
  // What compiles is asked, not how well: unoptimized it takes a third of the time.
  nvcc.arguments = {kNvcc,        "-std=c++17", "-arch=sm_90",
                    "-w",         "-Xcicc",     "-O0",
                    "-ptx",       "-o",         (folder.path() / "all.ptx").string(),
                    file.string()};
  nvcc.timeout = std::chrono::minutes(5);
  const auto exit = runner.run(nvcc);
  if (!exit) return exit.error().message();
  return exit->ok() ? "" : exit->out + exit->err;
}

bool has_nvcc() {
  return access(kNvcc, X_OK) == 0;
}

std::string without_blanks(std::string text) {
  std::erase_if(text, [](unsigned char c) { return std::isspace(c); });
  return text;
}

std::string elementwise(const std::string& body) {
  return R"(__global__ void each(const float* x, float* y, int n) {
)" + body +
         R"(
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=100000) tolerance(rtol=1e-3)
void run(const float* x, float* y, int n) { each<<<(n + 255) / 256, 256>>>(x, y, n); }
)";
}

const std::string doubled =
    elementwise("int i = threadIdx.x + blockDim.x * blockIdx.x;\nif (i >= n) return;\ny[i] = 2 * x[i];");

}  // namespace hone::frontend
