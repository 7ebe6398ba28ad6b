// A project with a CUDA kernel, for the real program, with a worker that does not work: what is compiled is real, what
// is judged is not. Without nvcc its tests are skipped.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "run_program.h"
#include "tests/cuda_objects.h"
#include "tool/os/files/files.h"

namespace hone {

inline constexpr const char* executor = "command:" PRETEND_WORKER;
// Longer than what takes its place, which is not reduced then: each attempt would take an nvcc.
inline constexpr const char* kernel = R"(#include "factor.h"
static __global__ void times_factor(const float* x, float* y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = FACTOR * x[i];
}
#pragma hone kernel in(x[0:n]) out(y[0:n]) problem(n=1<<20)
void scale(const float* x, float* y, int n) {
  const int threads = 256;
  const int blocks = (n + threads - 1) / threads;
  times_factor<<<blocks, threads>>>(
      x, y, n);
}
)";
inline constexpr const char* candidate = R"(static __global__ void by_stride(const float* x, float* y, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) y[i] = FACTOR * x[i];
}
void scale(const float* x, float* y, int n) { by_stride<<<128, 256>>>(x, y, n); }
)";

class CudaProject : public testing::Test {
 protected:
  void SetUp() override {
    if (!tests::has_nvcc()) GTEST_SKIP() << "there is no " << tests::nvcc_program;
    write("kernel.cu", kernel);
    write("include/factor.h", "#define FACTOR 2\n");
    write("hone.lock", "{ \"version\": 1, \"kernels\": [] }\n");
    const std::string build = (folder() / "build").string();
    write("build/compile_commands.json",
          nlohmann::json{{{"directory", build}, {"command", command("")}, {"file", "../kernel.cu"}}}.dump());
    write("candidate.cu", candidate);
  }
  static std::string command(const std::string& further) {
    return std::string(tests::nvcc_program) + " -forward-unknown-to-host-compiler -I../include -O3 " +
           tests::quick_dialect + " " + further +
           "--generate-code=arch=compute_90,code=[compute_90,sm_90] -Xcompiler=-Wall -x cu -c ../kernel.cu -o "
           "kernel.cu.o";
  }

  const std::filesystem::path& folder() const { return folder_.path(); }
  void write(const std::string& name, const std::string& text) const {
    ASSERT_TRUE(os::write_file_atomically(folder() / name, text));
  }
  Ended hone(std::vector<std::string> words) const {
    words.insert(words.begin() + 1, {"-p", (folder() / "build").string()});
    return run(folder(), words);
  }
  // A model that has one idea.
  std::string model_saying(const std::string& source) const {
    write("model",
          "#!/bin/sh\ncat > prompt\ncat <<'END'\nname: idea\n\n```cuda\n" + source + "```\n\nthought: none\nEND\n");
    std::filesystem::permissions(folder() / "model", std::filesystem::perms::owner_all);
    return "command:" + (folder() / "model").string();
  }
  nlohmann::json eval(const std::string& text) const {
    write("candidate.cu", text);
    const Ended ended = hone({"eval", "--kernel", "scale", "--executor", executor, "--json", "candidate.cu"});
    const auto answer = nlohmann::json::parse(ended.out, nullptr, false);
    EXPECT_TRUE(answer.is_object()) << ended.out << ended.err;
    return answer.is_object() ? answer : nlohmann::json::object();
  }

 private:
  os::TemporaryFolder folder_ = os::TemporaryFolder::create("hone-cuda-program").value();
};

}  // namespace hone
